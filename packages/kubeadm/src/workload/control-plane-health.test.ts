import { describe, expect, it } from 'vitest';
import type { KubeadmConfig } from '../api/index.js';
import { controlPlaneMachineFixture, kubeadmConfigFixture } from '../testing/control-plane-objects.js';
import {
  etcdOf,
  type Given,
  healthOf,
  member,
  node,
  observed,
  role,
  formatCondition,
} from '../testing/observation-objects.js';

const machine = controlPlaneMachineFixture;

describe('machines', () => {
  const rows: readonly (Given & { readonly name: string; readonly then: Readonly<Record<string, string>> })[] = [
    {
      name: 'that are healthy',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')]),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'True Set',
        APIServerPodHealthy: 'True Running',
        ControllerManagerPodHealthy: 'True Running',
        SchedulerPodHealthy: 'True Running',
        EtcdPodHealthy: 'True Running',
        EtcdMemberHealthy: 'True Healthy',
      },
    },
    {
      name: 'that wait for their infrastructure',
      machines: [{ ...machine('m1', { node: null }), spec: { ...machine('m1').spec, providerID: '' } }],
      observation: observed([]),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'Unknown InspectionFailed: Waiting for DevMachine to report spec.providerID',
        APIServerPodHealthy: 'Unknown InspectionFailed: Waiting for DevMachine to report spec.providerID',
        EtcdMemberHealthy: 'Unknown InspectionFailed: Waiting for DevMachine to report spec.providerID',
      },
    },
    {
      name: 'that wait for their Node',
      machines: [machine('m1', { node: null })],
      observation: observed([]),
      then: {
        SchedulerPodHealthy: 'Unknown InspectionFailed: Waiting for a Node with spec.providerID dev://m1 to exist',
        EtcdMemberHealthy: 'Unknown InspectionFailed: Waiting for a Node with spec.providerID dev://m1 to exist',
      },
    },
    {
      name: 'whose Node was deleted',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([], { etcd: etcdOf(member('n1')) }),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'Unknown InspectionFailed: Node n1 does not exist',
        EtcdPodHealthy: 'Unknown InspectionFailed: Node n1 does not exist',
        EtcdMemberHealthy: 'True Healthy',
      },
    },
    {
      name: 'whose Node is unreachable',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([
        node('n1', (draft) => {
          draft.spec = { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] };
        }),
      ]),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'Unknown InspectionFailed: Node n1 is unreachable',
        ControllerManagerPodHealthy: 'Unknown InspectionFailed: Node n1 is unreachable',
      },
    },
    {
      name: 'that are deleting',
      machines: [machine('m1', { node: 'n1', deleted: '2026-01-01T00:59:00Z' })],
      observation: observed([node('n1')]),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'True Set',
        APIServerPodHealthy: 'False Deleting: Machine is deleting',
        EtcdMemberHealthy: 'False Deleting: Machine is deleting',
      },
    },
    {
      name: 'that are deleting and have lost their Node and their member',
      machines: [machine('m1', { node: 'n1', deleted: '2026-01-01T00:59:00Z' }), machine('m2', { node: 'n2' })],
      observation: observed([node('n2')]),
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'False Deleting: Machine is deleting',
        EtcdMemberHealthy: "False NotHealthy: Etcd doesn't have an etcd member for Node n1",
      },
    },
    {
      name: 'whose Nodes could not be listed',
      machines: [machine('m1', { node: 'n1' })],
      observation: { nodesFailure: 'forbidden', nodes: new Map(), labelledNodes: [], pods: new Map() },
      then: {
        NodeKubeadmLabelsAndTaintsSet: 'Unknown InspectionFailed: Failed to get the Node',
        APIServerPodHealthy: 'Unknown InspectionFailed: Failed to get the Node hosting the Pod: forbidden',
        EtcdMemberHealthy: 'Unknown InspectionFailed: Failed to get the Node hosting the etcd member',
      },
    },
    {
      name: 'whose member is a learner',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')], { etcd: etcdOf(member('n1', { isLearner: true })) }),
      then: { EtcdMemberHealthy: 'False NotHealthy: Waiting for learner etcd member to be promoted' },
    },
    {
      name: 'whose member raises alarms',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')], { etcd: etcdOf(member('n1', { alarms: ['NOSPACE', 'CORRUPT'] })) }),
      then: { EtcdMemberHealthy: 'False NotHealthy: Etcd reports alarms: NOSPACE, CORRUPT' },
    },
    {
      name: 'whose etcd does not respond',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')], { etcd: { failed: 'connect', message: 'no connection to etcd-n1' } }),
      then: { EtcdMemberHealthy: 'Unknown InspectionFailed: Failed to connect to etcd: no connection to etcd-n1' },
    },
    {
      name: 'whose etcd has no quorum to list its members',
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')], { etcd: { failed: 'members', message: 'etcd did not respond within 15 s' } }),
      then: {
        EtcdMemberHealthy: 'Unknown InspectionFailed: Failed to get etcd members: etcd did not respond within 15 s',
      },
    },
  ];

  it.each(rows)('$name', (given) => {
    const { conditions } = healthOf(given).machines.get('m1') ?? {};
    const found = Object.fromEntries(Object.keys(given.then).map((type) => [type, formatCondition(conditions, type)]));
    expect(found).toEqual(given.then);
  });

  it('do not report etcd when it is external', () => {
    const health = healthOf({
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([node('n1')], { etcd: undefined }),
      isEtcdManaged: false,
    });
    expect(health.machines.get('m1')?.conditions.map(({ type }) => type)).toEqual([
      'NodeKubeadmLabelsAndTaintsSet',
      'APIServerPodHealthy',
      'ControllerManagerPodHealthy',
      'SchedulerPodHealthy',
    ]);
    expect(formatCondition(health.controlPlane.conditions, 'EtcdClusterHealthy')).toBe('absent');
    expect(health.controlPlane.v1beta1).toContainEqual({ type: 'EtcdClusterHealthy', status: 'True' });
  });
});

describe('the label and the taint of kubeadm', () => {
  const bare = node('n1', (draft) => {
    draft.metadata.labels = {};
    draft.spec = {};
  });
  const untainted = node('n1', (draft) => {
    draft.spec = {};
  });
  const join = (taints?: { key: string; effect: string }[]): KubeadmConfig =>
    kubeadmConfigFixture('m1', { joinConfiguration: { nodeRegistration: taints === undefined ? {} : { taints } } });
  const missing = 'False NotSet: Node n1 does not have the';

  it.each([
    {
      name: 'reports that both are missing',
      on: bare,
      config: join(),
      then: `${missing} ${role} label and the ${role}:NoSchedule taint`,
    },
    {
      name: 'expects the taint if taints are not configured',
      on: untainted,
      config: join(),
      then: `${missing} ${role}:NoSchedule taint`,
    },
    { name: 'expects no taint if an empty list is configured', on: untainted, config: join([]), then: 'True Set' },
    {
      name: 'expects no taint if another one is configured',
      on: untainted,
      config: join([{ key: 'a', effect: 'NoSchedule' }]),
      then: 'True Set',
    },
    {
      name: 'expects the taint if it is configured',
      on: untainted,
      config: join([{ key: role, effect: 'NoSchedule' }]),
      then: `${missing} ${role}:NoSchedule taint`,
    },
    {
      name: 'reads the init configuration of the first machine',
      on: untainted,
      config: kubeadmConfigFixture('m1', { initConfiguration: { nodeRegistration: { taints: [] } } }),
      then: 'True Set',
    },
    {
      name: 'expects nothing if the kubeadm configuration is unknown',
      on: untainted,
      config: undefined,
      then: 'True Set',
    },
  ])('$name', ({ on, config, then }) => {
    const health = healthOf({
      machines: [machine('m1', { node: 'n1' })],
      observation: observed([on]),
      configs: config === undefined ? {} : { m1: config },
    });
    expect(formatCondition(health.machines.get('m1')?.conditions, 'NodeKubeadmLabelsAndTaintsSet')).toBe(then);
  });

  it('expects the taint if the Machine specifies it', () => {
    const asking = machine('m1', { node: 'n1' });
    asking.spec.taints = [{ key: role, effect: 'NoSchedule', propagation: 'Always' }];
    const health = healthOf({ machines: [asking], observation: observed([untainted]) });
    expect(formatCondition(health.machines.get('m1')?.conditions, 'NodeKubeadmLabelsAndTaintsSet')).toBe(
      `${missing} ${role}:NoSchedule taint`,
    );
  });
});
