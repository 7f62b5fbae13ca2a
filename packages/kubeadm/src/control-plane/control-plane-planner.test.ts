import { describe, expect, it } from 'vitest';
import { controlPlaneAnnotations, type KubeadmControlPlane } from '../api/index.js';
import {
  clusterFixture,
  controlPlaneFixture,
  controlPlaneMachineFixture as machine,
} from '../testing/control-plane-objects.js';
import { memberFixture, viewOf, viewTime } from '../testing/control-plane-view.js';
import { planControlPlane } from './control-plane-planner.js';
import type { ControlPlaneDecision, ControlPlaneView, PreflightFindings } from './control-plane.js';

const wants = (
  replicas: number,
  change: (controlPlane: KubeadmControlPlane) => void = () => {},
): KubeadmControlPlane => {
  const controlPlane = controlPlaneFixture({ replicas });
  change(controlPlane);
  return controlPlane;
};

interface Row {
  readonly name: string;
  readonly view: ControlPlaneView;
  readonly decision: Partial<ControlPlaneDecision>;
  readonly preflight?: PreflightFindings;
}

const [a, b, c] = ['a', 'b', 'c'].map((name, index) => machine(name, { created: `2026-01-0${index + 1}T00:00:00Z` }));
const three = [a, b, c] as NonNullable<typeof a>[];
const sick = (name: string, type = 'APIServerPodHealthy') =>
  machine(name, { conditions: { [type]: ['False', 'Failed', 'it crashed'] } });
const lost = (name: string) =>
  machine(name, {
    conditions: {
      HealthCheckSucceeded: ['False', 'UnhealthyNode', ''],
      OwnerRemediated: ['False', 'WaitingForRemediation', ''],
    },
  });
const deleting = (name: string) =>
  machine(name, {
    deleted: '2026-05-01T00:00:00Z',
    conditions: { Deleting: ['True', 'WaitingForPreTerminateHook', ''] },
  });
/** Returns a control plane whose machine x was deleted for remediation and has no replacement yet. */
const remediating = (replicas: number): KubeadmControlPlane =>
  wants(replicas, ({ metadata }) => {
    const data = { machine: 'x', timestamp: '2026-05-31T00:00:00Z', retryCount: 0 };
    metadata.annotations = { [controlPlaneAnnotations.remediationInProgress]: JSON.stringify(data) };
  });

const rows: readonly Row[] = [
  {
    name: 'creates the first machine',
    view: viewOf([], { controlPlane: wants(3) }),
    decision: { type: 'createFirst' },
  },
  {
    name: 'scales up by one machine at a time',
    view: viewOf(three.slice(0, 1), { controlPlane: wants(5) }),
    decision: { type: 'create', reason: 'ScalingUp' },
  },
  {
    name: 'replaces a lost machine although another one is deleting, because etcd does not tolerate the deletion first',
    view: viewOf([deleting('a'), machine('b'), lost('c')], { silent: ['c'], controlPlane: wants(3) }),
    decision: { type: 'remediate', machine: 'c' },
    preflight: { deletingMachine: true },
  },
  {
    name: 'does nothing if all machines exist and are up to date',
    view: viewOf(three),
    decision: { type: 'maintain' },
  },
  {
    name: "waits while a machine has no Node, with upstream's message",
    view: viewOf([machine('a'), machine('b', { node: null })], { controlPlane: wants(3) }),
    decision: {
      type: 'wait',
      ms: 15_000,
      reason: 'WaitingForControlPlaneHealth',
      message:
        'Waiting for control plane to pass preflight checks to continue reconciliation: Machine b does not have a corresponding Node yet (Machine.status.nodeRef not set)',
    },
    preflight: { componentsUnhealthy: true, etcdUnhealthy: true },
  },
  {
    name: 'waits while a component is unhealthy',
    view: viewOf([machine('a'), sick('b')], { controlPlane: wants(3) }),
    decision: {
      type: 'wait',
      message:
        'Waiting for control plane to pass preflight checks to continue reconciliation: Machine b reports APIServerPodHealthy condition is false (it crashed)',
    },
    preflight: { componentsUnhealthy: true },
  },
  {
    name: 'waits for certificates before scaling up',
    view: viewOf(three.slice(0, 1), { controlPlane: wants(3, ({ status }) => void (status!.conditions = [])) }),
    decision: { type: 'wait', reason: 'WaitingForCertificates', ms: 15_000 },
    preflight: { certificatesMissing: true },
  },
  {
    name: 'scales down without certificates',
    view: viewOf(three, { controlPlane: wants(1, ({ status }) => void (status!.conditions = [])) }),
    decision: { type: 'delete', machine: 'a', reason: 'ScalingDown' },
  },
  {
    name: 'waits for the version of a topology',
    view: viewOf(three.slice(0, 1), {
      controlPlane: wants(3),
      cluster: clusterFixture({ spec: { topology: { version: 'v1.36.0' } } }),
    }),
    decision: { type: 'wait', reason: 'WaitingForTopologyVersion' },
    preflight: { topologyVersion: 'v1.36.0' },
  },
  {
    name: 'blocks scaling while any machine is deleting [14.34]',
    view: viewOf([machine('a'), machine('b', { deleted: '2026-05-01T00:00:00Z' })], { controlPlane: wants(3) }),
    decision: { type: 'wait', reason: 'WaitingForPreTerminateHook', ms: 30_000 },
    preflight: { deletingMachine: true },
  },
  {
    name: 'does not scale up while a member is a learner',
    view: viewOf(three.slice(0, 2), {
      controlPlane: wants(3),
      etcd: { members: [memberFixture('a'), memberFixture('b', { isLearner: true })], leader: 'a' },
    }),
    decision: {
      type: 'wait',
      message:
        'Waiting for control plane to pass preflight checks to continue reconciliation: adding a new control plane Machine can lead to etcd quorum loss. Please check the etcd status',
    },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'changes nothing while etcd does not respond',
    view: viewOf(three, { controlPlane: wants(1), etcd: undefined }),
    decision: { type: 'wait', reason: 'WaitingForControlPlaneHealth' },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'moves leadership to the newest machine before the leader is deleted',
    view: viewOf(three, { controlPlane: wants(1), leader: 'a' }),
    decision: { type: 'delete', machine: 'a', leadership: { from: 'a', candidates: ['c', 'b'] } },
  },
  {
    name: 'keeps leadership when another machine is deleted',
    view: viewOf(three, { controlPlane: wants(1), leader: 'b' }),
    decision: { type: 'delete', machine: 'a', leadership: undefined },
  },
  {
    name: 'waits while the etcd leader is unknown',
    view: viewOf(three, {
      controlPlane: wants(1),
      etcd: { members: ['a', 'b', 'c'].map((name) => memberFixture(name)), leader: undefined },
    }),
    decision: { type: 'wait', reason: 'EtcdLeaderUnknown' },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'surges by one machine during a rollout if allowed',
    view: viewOf(three, { outdated: ['a', 'b', 'c'] }),
    decision: { type: 'create', reason: 'RollingOut' },
  },
  {
    name: 'deletes a machine first during a rollout without surge',
    view: viewOf(three, { controlPlane: controlPlaneFixture({ replicas: 3, maxSurge: 0 }), outdated: ['b', 'c'] }),
    decision: { type: 'delete', machine: 'b', reason: 'RollingOut' },
  },
  {
    name: 'deletes outdated unhealthy machines first',
    view: viewOf([machine('a'), machine('b'), sick('c')], {
      controlPlane: controlPlaneFixture({ replicas: 3, maxSurge: 0 }),
      outdated: ['a', 'b', 'c'],
    }),
    decision: { type: 'delete', machine: 'c', message: 'outdated, and its components are not healthy' },
  },
  {
    name: 'deletes machines that the user marked before outdated ones',
    view: viewOf(
      [machine('a'), machine('b'), machine('c', { annotations: { 'cluster.x-k8s.io/delete-machine': '' } })],
      { controlPlane: controlPlaneFixture({ replicas: 3, maxSurge: 0 }), outdated: ['a'] },
    ),
    decision: { type: 'delete', machine: 'c', message: 'marked for deletion' },
  },
  {
    name: 'waits for an in-place update to complete',
    view: viewOf(
      [machine('a', { annotations: { 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': '' } })],
      { controlPlane: wants(3) },
    ),
    decision: { type: 'wait', reason: 'WaitingForInPlaceUpdate' },
  },
  {
    name: 'creates a replacement while another machine is unhealthy, if etcd tolerates it',
    view: viewOf([machine('a'), machine('b'), machine('c'), sick('d', 'EtcdMemberHealthy')], {
      controlPlane: remediating(5),
    }),
    decision: { type: 'create', reason: 'ScalingUp' },
  },
  {
    name: 'creates no replacement that etcd would not tolerate',
    view: viewOf([machine('a'), machine('b'), sick('c', 'EtcdMemberHealthy'), sick('d', 'EtcdMemberHealthy')], {
      controlPlane: remediating(5),
    }),
    decision: { type: 'wait', reason: 'WaitingForControlPlaneHealth' },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'replaces a lost machine that keeps etcd from tolerating the replacement of the previous one',
    view: viewOf([machine('a'), machine('b'), lost('c')], { silent: ['c'], controlPlane: remediating(5) }),
    decision: { type: 'remediate', machine: 'c', data: { machine: 'c', atMs: viewTime, retryCount: 0 } },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'replaces a lost machine if the previous one no longer needs a replacement',
    view: viewOf([machine('a'), machine('b'), lost('c')], { silent: ['c'], controlPlane: remediating(3) }),
    decision: { type: 'remediate', machine: 'c' },
  },
  {
    name: 'replaces a lost machine before a deleting one, although the previous one has no replacement yet',
    view: viewOf([deleting('a'), machine('b'), lost('c')], { silent: ['c'], controlPlane: remediating(5) }),
    decision: { type: 'remediate', machine: 'c' },
    preflight: { deletingMachine: true },
  },
  {
    name: 'does not replace a lost machine while etcd tolerates the replacement of the previous one',
    view: viewOf([machine('a'), machine('b'), machine('c'), lost('d')], {
      silent: ['d'],
      controlPlane: remediating(5),
    }),
    decision: { type: 'create', reason: 'ScalingUp' },
  },
  {
    name: 'does not replace a lost machine before the deletion of the previous one was observed',
    view: viewOf([machine('a'), machine('x'), lost('c')], { silent: ['c'], controlPlane: remediating(5) }),
    decision: { type: 'wait', reason: 'WaitingForControlPlaneHealth' },
    preflight: { etcdUnhealthy: true },
  },
  {
    name: 'removes a member without a machine',
    view: viewOf(three, {
      etcd: { members: ['a', 'b', 'c', 'ghost'].map((name) => memberFixture(name)), leader: 'a' },
    }),
    decision: { type: 'removeMember', message: 'etcd member ghost does not have a corresponding Machine' },
  },
  {
    name: 'keeps such a member while a machine starts, because it may belong to it',
    view: viewOf([machine('a'), machine('b', { node: null })], {
      etcd: { members: ['a', 'b'].map((name) => memberFixture(name)), leader: 'a' },
    }),
    decision: { type: 'maintain' },
  },
  {
    name: 'keeps such a member while its vote is needed',
    view: viewOf([machine('a'), sick('b', 'EtcdMemberHealthy')], {
      etcd: { members: ['a', 'b', 'ghost'].map((name) => memberFixture(name)), leader: 'a' },
    }),
    decision: { type: 'wait', reason: 'EtcdQuorumAtRisk' },
  },
];

describe('the next step of a control plane', () => {
  it.each(rows)('$name', ({ view, decision, preflight = {} }) => {
    const plan = planControlPlane(view);
    expect(plan.decision).toMatchObject(decision);
    expect(plan.preflight).toEqual(preflight);
  });
});
