import type { Machine } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import { controlPlaneMachineFixture } from '../testing/control-plane-objects.js';
import {
  etcdOf,
  type Given,
  healthOf,
  member,
  node,
  observed,
  formatCondition,
} from '../testing/observation-objects.js';
import type { ControlPlaneObservation, PodObservation } from './control-plane-workload.js';

const machine = controlPlaneMachineFixture;

describe('the control plane', () => {
  const three = ['n1', 'n2', 'n3'];
  const machines = three.map((name, index) => machine(`m${index + 1}`, { node: name }));
  const nodes = three.map((name) => node(name));
  const pods = (change: Readonly<Record<string, PodObservation>>) =>
    new Map([...observed(nodes).pods, ...Object.entries(change)]);

  const rows: readonly (Given & {
    readonly name: string;
    readonly components?: string;
    readonly etcd?: string;
    readonly match?: boolean;
  })[] = [
    {
      name: 'is healthy if all machines are',
      machines,
      observation: observed(nodes),
      components: 'True Healthy',
      etcd: 'True Healthy',
      match: true,
    },
    {
      name: 'groups machines with the same message, largest group first',
      machines,
      observation: observed(nodes, {
        pods: pods({
          'kube-scheduler-n1': { absent: true },
          'kube-scheduler-n3': { absent: true },
          'etcd-n2': { absent: true },
        }),
      }),
      components: [
        'False NotHealthy: * Machines m1, m3:',
        '  * SchedulerPodHealthy: Pod does not exist',
        '* Machine m2:',
        '  * EtcdPodHealthy: Pod does not exist',
      ].join('\n'),
    },
    {
      name: 'reports a cause that all components of a machine share once',
      machines,
      observation: observed([node('n1'), node('n2')], { labelledNodes: ['n1', 'n2'] }),
      components: 'Unknown HealthUnknown: * Machine m3:\n  * Control plane components: Node n3 does not exist',
    },
    {
      name: 'ignores unknown conditions of a machine without a provider ID',
      machines: [
        machines[0] as Machine,
        { ...machine('m2', { node: null }), spec: { ...machine('m2').spec, providerID: '' } },
      ],
      observation: observed([node('n1')]),
      components: 'True Healthy',
      etcd: 'True Healthy',
      match: true,
    },
    {
      name: 'reports a Node without a Machine',
      machines: machines.slice(0, 1),
      observation: observed([node('n1'), node('n2')], { etcd: etcdOf(member('n1')) }),
      components: 'False NotHealthy: * Control plane Node n2 does not have a corresponding Machine',
      etcd: 'True Healthy',
    },
    {
      name: 'does not report a Node that may belong to a machine being provisioned',
      machines: [machines[0] as Machine, machine('m2', { node: null })],
      observation: observed([node('n1'), node('n2')], { etcd: etcdOf(member('n1')) }),
      components:
        'Unknown HealthUnknown: * Machine m2:\n  * Control plane components: Waiting for a Node with spec.providerID dev://m2 to exist',
    },
    {
      name: 'reports a member without a Machine',
      machines: machines.slice(0, 1),
      observation: observed([node('n1')], { etcd: etcdOf(member('n1'), member('n9')) }),
      etcd: 'False NotHealthy: * Etcd member n9 does not have a corresponding Machine',
      match: false,
    },
    {
      name: 'reports a machine without a member, and a mismatch once its Node is old',
      machines: machines.slice(0, 2),
      observation: observed([node('n1'), node('n2')], { etcd: etcdOf(member('n1')) }),
      etcd: "False NotHealthy: * Machine m2:\n  * EtcdMemberHealthy: Etcd doesn't have an etcd member for Node n2",
      match: false,
    },
    {
      name: 'is unknown without machines',
      machines: [],
      observation: observed([], { etcd: undefined }),
      components: 'Unknown HealthUnknown: No Machines reporting control plane status',
      etcd: 'Unknown HealthUnknown: No Machines reporting etcd member status',
      match: true,
    },
    {
      name: 'is unknown if Nodes cannot be listed',
      machines,
      observation: { nodesFailure: 'boom', nodes: new Map(), labelledNodes: [], pods: new Map() },
      components: 'Unknown InspectionFailed: Failed to get Nodes hosting control plane components: boom',
      etcd: 'Unknown InspectionFailed: Failed to get Nodes hosting the etcd cluster',
      match: false,
    },
  ];

  it.each(rows)('$name', (given) => {
    const { controlPlane, membersMatchMachines } = healthOf(given);
    const found = {
      components: formatCondition(controlPlane.conditions, 'ControlPlaneComponentsHealthy'),
      etcd: formatCondition(controlPlane.conditions, 'EtcdClusterHealthy'),
      match: membersMatchMachines,
    };
    const { components, etcd, match } = given;
    const reported = Object.entries({ components, etcd, match }).filter(([, value]) => value !== undefined);
    expect(found).toMatchObject(Object.fromEntries(reported));
  });

  it('lists three machines and counts the rest', () => {
    const many = Array.from({ length: 5 }, (_, index) => machine(`m${index + 1}`, { node: `n${index + 1}` }));
    const { controlPlane } = healthOf({
      machines: many,
      observation: observed(
        many.map(({ status }) => node(status?.nodeRef?.name ?? '')),
        { pods: new Map() },
      ),
    });
    expect(formatCondition(controlPlane.conditions, 'ControlPlaneComponentsHealthy')).toMatch(
      /^Unknown HealthUnknown: \* Machines m1, m2, m3, \.\.\. \(2 more\):\n/,
    );
  });

  it('reports the same in v1beta1 conditions, the most severe first', () => {
    const old = (observation: ControlPlaneObservation, given: readonly Machine[] = machines) =>
      healthOf({ machines: given, observation }).controlPlane.v1beta1;
    expect(old(observed(nodes))).toEqual([
      { type: 'ControlPlaneComponentsHealthy', status: 'True' },
      { type: 'EtcdClusterHealthy', status: 'True' },
    ]);
    expect(
      old(observed(nodes, { pods: pods({ 'etcd-n1': { absent: true }, 'etcd-n2': { failure: 'x' } }) }))[0],
    ).toEqual({
      type: 'ControlPlaneComponentsHealthy',
      status: 'False',
      severity: 'Error',
      reason: 'ControlPlaneComponentsUnhealthy',
      message: 'Following Machines are reporting control plane errors: m1',
    });
    expect(old(observed(nodes, { etcd: { failed: 'connect', message: 'x' } }))[1]).toEqual({
      type: 'EtcdClusterHealthy',
      status: 'Unknown',
      reason: 'EtcdClusterUnknown',
      message: 'Following Machines are reporting unknown etcd member status: m1, m2, m3',
    });
    const deleting = [machine('m1', { node: 'n1', deleted: '2026-01-01T00:59:00Z' })];
    expect(old(observed([node('n1')]), deleting)[1]).toEqual({
      type: 'EtcdClusterHealthy',
      status: 'False',
      severity: 'Info',
      reason: 'EtcdClusterUnhealthy',
      message: 'Following Machines are reporting etcd member info: m1',
    });
    expect(old(observed([]), [machine('m1', { node: null })])).toEqual([]);
  });
});
