import { deepFreeze } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { topologyCluster } from '../testing/topology-objects.js';
import { topologyCondition, type TopologyOutcome } from './topology-condition.js';
import type { HookAnswer, LifecycleHook } from './upgrade/lifecycle-hook.js';
import { idleWorkers, stableControlPlane, type UpgradeState, type WorkersUpgrade } from './upgrade/upgrade-tracker.js';

const references = {
  controlPlaneRef: { apiGroup: 'controlplane.example.com', kind: 'Control', name: 'c' },
  infrastructureRef: { apiGroup: 'infrastructure.example.com', kind: 'Infra', name: 'c' },
};
const cluster = topologyCluster({ clusterSpec: references });
const blocking = (hook: LifecycleHook, message = ''): ReadonlyMap<LifecycleHook, HookAnswer> =>
  new Map([[hook, { retryAfterSeconds: 5, message }]]);
const answers: ReadonlyMap<LifecycleHook, HookAnswer> = new Map();
const workers = (given: Partial<Record<keyof WorkersUpgrade, readonly string[]>>): WorkersUpgrade => ({
  ...idleWorkers,
  ...Object.fromEntries(Object.entries(given).map(([key, names]) => [key, key === 'plan' ? names : new Set(names)])),
});
const stable: UpgradeState = {
  controlPlanePlan: [],
  controlPlane: stableControlPlane,
  machineDeployments: idleWorkers,
  machinePools: idleWorkers,
};
const deleting = deepFreeze({
  ...cluster,
  metadata: { ...cluster.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const at = { kind: 'Control', version: 'v1.36.0' };

const rows: { name: string; outcome: TopologyOutcome; then: object }[] = [
  {
    name: 'is True if all objects match',
    outcome: { cluster, answers, upgrade: stable },
    then: { status: 'True', reason: 'ReconcileSucceeded', message: '' },
  },
  {
    name: 'is paused, regardless of other states',
    outcome: { cluster: topologyCluster({ clusterSpec: { paused: true } }), answers, error: new Error('x') },
    then: { status: 'False', reason: 'Paused', message: 'Cluster spec.paused is set to true' },
  },
  {
    name: 'failed, with another v1beta1 reason',
    outcome: { cluster, answers, error: new Error('no template') },
    then: {
      status: 'False',
      reason: 'ReconcileFailed',
      oldReason: 'TopologyReconcileFailed',
      severity: 'Error',
      message: 'no template',
    },
  },
  {
    name: 'waits for a class that is not ready, which is not a failure',
    outcome: {
      cluster,
      answers,
      error: new ReconcileError('ClusterClassNotReconciled', 'not yet', { retry: 'onChange' }),
    },
    then: { status: 'False', reason: 'ClusterClassNotReconciled', severity: 'Info', message: 'not yet' },
  },
  {
    name: 'deleting',
    outcome: { cluster: deleting, answers },
    then: { reason: 'Deleting', message: 'Cluster is deleting' },
  },
  {
    name: 'is deleting and blocked by a hook',
    outcome: { cluster: deleting, answers: blocking('BeforeClusterDelete') },
    then: {
      reason: 'Deleting',
      message: 'Cluster is deleting. Following hooks are blocking delete: BeforeClusterDelete',
    },
  },
  {
    name: 'is creating and blocked by a hook',
    outcome: { cluster: topologyCluster(), answers: blocking('BeforeClusterCreate', 'wait') },
    then: {
      reason: 'ClusterCreating',
      message: 'Following hooks are blocking Cluster topology creation: BeforeClusterCreate: wait',
    },
  },
  {
    name: 'names three of many workers',
    outcome: {
      cluster,
      answers,
      controlPlane: at,
      upgrade: { ...stable, machineDeployments: workers({ upgrading: ['e', 'd', 'c', 'b', 'a'] }) },
    },
    then: {
      reason: 'ClusterUpgrading',
      message:
        'Cluster is upgrading to v1.35.0\n  * MachineDeployments a, b, c, ... (2 more) upgrading to version v1.36.0',
    },
  },
  {
    name: 'has pools that a user deferred',
    outcome: {
      cluster,
      answers,
      controlPlane: at,
      upgrade: { ...stable, machinePools: workers({ deferred: ['p'], pending: ['p'], plan: ['v1.36.0'] }) },
    },
    then: {
      reason: 'MachinePoolsUpgradeDeferred',
      message:
        'Cluster is upgrading to v1.35.0\n  * MachinePool p upgrade to version v1.36.0 deferred using topology.cluster.x-k8s.io/defer-upgrade or hold-upgrade-sequence annotations',
    },
  },
  {
    name: 'reports a blocking hook before a deferring user',
    outcome: {
      cluster,
      answers: blocking('AfterWorkersUpgrade', 'test'),
      controlPlane: at,
      upgrade: { ...stable, machineDeployments: workers({ deferred: ['m'], pending: ['m'] }) },
    },
    then: {
      reason: 'ClusterUpgrading',
      message:
        'Cluster is upgrading to v1.35.0\n  * Following hooks are blocking upgrade: AfterWorkersUpgrade: test\n  * MachineDeployment m upgrade to version v1.36.0 deferred using defer-upgrade or hold-upgrade-sequence annotations',
    },
  },
  {
    name: 'reports an upgrade in progress while a hook is pending',
    outcome: {
      cluster: topologyCluster({
        clusterSpec: references,
        annotations: { 'runtime.cluster.x-k8s.io/pending-hooks': 'AfterClusterUpgrade' },
      }),
      answers,
      controlPlane: at,
      upgrade: stable,
    },
    then: { reason: 'ClusterUpgrading', message: 'Cluster is upgrading to v1.35.0' },
  },
];

describe('TopologyReconciled', () => {
  it.each(rows)('$name', ({ outcome, then }) => {
    expect(topologyCondition(outcome)).toMatchObject({ type: 'TopologyReconciled', ...then });
  });
});
