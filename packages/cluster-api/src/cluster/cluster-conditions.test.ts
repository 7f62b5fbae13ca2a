import { describe, expect, it } from 'vitest';
import { edit, type NewCondition } from '@slipway/runtime';
import type { Cluster, MachineSet } from '../api/index.js';
import type { ProviderState } from '../contract/index.js';
import { conditionsOf, machineFixture, machineSetFixture, type MachineOptions } from '../testing/machine-objects.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { availableCondition } from './cluster-available.js';
import { clusterConditions, type ClusterConditionsInput, clusterDueMs } from './cluster-conditions.js';
import type { Descendants, ObservedDeployment } from './descendants.js';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
type Conditions = MachineOptions['conditions'];

function cluster(change: (cluster: Cluster) => void = () => undefined): Cluster {
  const made: Cluster = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'c', namespace: 'default', uid: 'c' },
    spec: {
      infrastructureRef: { apiGroup: 'i', kind: 'Sea', name: 'c' },
      controlPlaneRef: { apiGroup: 'p', kind: 'Bridge', name: 'c' },
    },
  };
  change(made);
  return made;
}

const none: Descendants = { deployments: [], sets: [], pools: [], controlPlaneMachines: [], workerMachines: [] };
const found = (kind: string, status: object): ProviderState => ({
  type: 'found',
  object: { apiVersion: 'g/v1', kind, metadata: { name: 'c' }, status },
  kind: { contract: 'v1beta2', resource: { group: 'g', version: 'v1', kind, plural: 'x', namespaced: true } },
});
const deployment = (name: string, conditions: Conditions): ObservedDeployment => {
  const made = machineDeploymentFixture({ replicas: 1 });
  return { ...made, metadata: { ...made.metadata, name }, status: { conditions: conditionsOf(conditions) } };
};
const input = (given: Partial<ClusterConditionsInput> = {}): ClusterConditionsInput => ({
  cluster: cluster(),
  clusterClass: undefined,
  infrastructure: { type: 'missing' },
  controlPlane: { type: 'missing' },
  descendants: none,
  health: { connected: true, consecutiveFailures: 0, lastProbeSuccessAt: nowMs },
  remoteConnectionGraceMs: 50_000,
  deleting: { reason: 'Deleting', message: 'Deletion started' },
  nowMs,
  ...given,
});
const textOf = (condition: NewCondition | undefined): string | undefined =>
  condition && `${condition.status} ${condition.reason}: ${condition.message ?? ''}`;

const topology = ({ spec }: Cluster): void => {
  delete spec.infrastructureRef;
  delete spec.controlPlaneRef;
  spec.topology = { classRef: { name: 'class' }, version: 'v1.35.0' };
};
const controlPlaneMachine = (name: string, options: MachineOptions = {}) =>
  machineFixture(name, { ...options, labels: { 'cluster.x-k8s.io/control-plane': '' } });

const rows: { name: string; type: string; given: Partial<ClusterConditionsInput>; then: string | undefined }[] = [
  {
    name: 'never connected',
    type: 'RemoteConnectionProbe',
    given: { health: { connected: false, consecutiveFailures: 0 } },
    then: 'False ProbeFailed: Remote connection not established yet',
  },
  {
    name: 'was never connected after many attempts',
    type: 'RemoteConnectionProbe',
    given: { health: { connected: false, consecutiveFailures: 5 } },
    then: 'False ProbeFailed: Remote connection probe failed',
  },
  {
    name: 'was not connected since the process started',
    type: 'RemoteConnectionProbe',
    given: {
      cluster: cluster((made) => void (made.status = { conditions: conditionsOf({ RemoteConnectionProbe: 'True' }) })),
      health: { connected: false, consecutiveFailures: 4 },
    },
    then: undefined,
  },
  {
    name: 'did not respond for less than 50 seconds [14.41]',
    type: 'RemoteConnectionProbe',
    given: { health: { connected: false, consecutiveFailures: 5, lastProbeSuccessAt: nowMs - 50_000 } },
    then: 'True ProbeSucceeded: ',
  },
  {
    name: 'did not respond for longer [14.41]',
    type: 'RemoteConnectionProbe',
    given: { health: { connected: false, consecutiveFailures: 5, lastProbeSuccessAt: nowMs - 51_000 } },
    then: 'False ProbeFailed: Remote connection probe failed, probe last succeeded at 2026-01-01T00:59:09Z',
  },
  {
    name: 'no topology yet',
    type: 'InfrastructureReady',
    given: { cluster: cluster(topology) },
    then: 'False ObjectDoesNotExist: Waiting for cluster topology to be reconciled',
  },
  {
    name: 'has nothing to wait for',
    type: 'InfrastructureReady',
    given: { cluster: cluster(({ spec }) => void delete spec.infrastructureRef) },
    then: 'True Ready: ',
  },
  {
    name: 'no topology yet',
    type: 'ControlPlaneAvailable',
    given: { cluster: cluster(topology) },
    then: 'False ObjectDoesNotExist: Waiting for cluster topology to be reconciled',
  },
  {
    name: 'has a control plane that is not initialized',
    type: 'ControlPlaneAvailable',
    given: { controlPlane: found('Bridge', {}) },
    then: 'False NotAvailable: Bridge status.initialization.controlPlaneInitialized is false',
  },
  {
    name: 'no topology yet',
    type: 'ControlPlaneInitialized',
    given: { cluster: cluster(topology) },
    then: 'Unknown ObjectDoesNotExist: Waiting for cluster topology to be reconciled',
  },
  {
    name: 'has a control plane that is not available',
    type: 'ControlPlaneInitialized',
    given: { controlPlane: found('Bridge', {}) },
    then: 'False NotInitialized: Control plane not yet initialized',
  },
  {
    name: 'has a control plane that is available',
    type: 'ControlPlaneInitialized',
    given: { controlPlane: found('Bridge', { initialization: { controlPlaneInitialized: true } }) },
    then: 'True Initialized: ',
  },
  {
    name: 'stays True once set [14.1]',
    type: 'ControlPlaneInitialized',
    given: {
      cluster: cluster(
        (made) => void (made.status = { conditions: conditionsOf({ ControlPlaneInitialized: 'True' }) }),
      ),
      controlPlane: found('Bridge', {}),
    },
    then: undefined,
  },
  {
    name: 'has stand-alone machines',
    type: 'ControlPlaneInitialized',
    given: {
      cluster: cluster(({ spec }) => void delete spec.controlPlaneRef),
      descendants: { ...none, controlPlaneMachines: [controlPlaneMachine('m')] },
    },
    then: 'True Initialized: ',
  },
  { name: 'no workers', type: 'WorkersAvailable', given: {}, then: 'True NoWorkers: ' },
  {
    name: 'has workers that are not available',
    type: 'WorkersAvailable',
    given: {
      descendants: {
        ...none,
        deployments: [
          deployment('a', { Available: ['False', 'NotAvailable', '0 of 1'] }),
          deployment('b', { Available: 'True' }),
          deployment('c', {}),
        ],
      },
    },
    then: 'False NotAvailable: * MachineDeployment a: 0 of 1\n* MachineDeployment c: Condition Available not yet reported',
  },
  { name: 'no machines', type: 'ControlPlaneMachinesReady', given: {}, then: 'True NoReplicas: ' },
  {
    name: 'ignores machines of pools',
    type: 'WorkerMachinesReady',
    given: {
      descendants: {
        ...none,
        workerMachines: [machineFixture('m', { labels: { 'cluster.x-k8s.io/pool-name': 'p' } })],
      },
    },
    then: 'True NoReplicas: ',
  },
  {
    name: 'truncates to 3 messages [14.39]',
    type: 'WorkerMachinesReady',
    given: {
      descendants: {
        ...none,
        workerMachines: ['a', 'b', 'c', 'd', 'e'].map((name) =>
          machineFixture(name, { conditions: { Ready: ['False', 'NotReady', `because ${name}`] } }),
        ),
      },
    },
    then: 'False NotReady: * Machine a: because a\n* Machine b: because b\n* Machine c: because c\nAnd 2 Machines with other issues',
  },
  {
    name: 'UpToDate absent for <10 s after Machine creation is ignored [14.40]',
    type: 'WorkerMachinesUpToDate',
    given: { descendants: { ...none, workerMachines: [machineFixture('m', { created: '2026-01-01T00:59:51Z' })] } },
    then: 'True NoReplicas: ',
  },
  {
    name: 'UpToDate absent for longer is reported [14.40]',
    type: 'WorkerMachinesUpToDate',
    given: { descendants: { ...none, workerMachines: [machineFixture('m', { created: '2026-01-01T00:59:49Z' })] } },
    then: 'Unknown UpToDateUnknown: * Machine m: Condition UpToDate not yet reported',
  },
  { name: 'has no parts that roll out', type: 'RollingOut', given: {}, then: 'False NotRollingOut: ' },
  {
    name: 'ignores a control plane that does not report the condition',
    type: 'RollingOut',
    given: { controlPlane: found('Bridge', { conditions: [] }) },
    then: 'False NotRollingOut: ',
  },
  {
    name: 'reports the control plane and a deployment',
    type: 'RollingOut',
    given: {
      controlPlane: found('Bridge', {
        conditions: [{ type: 'RollingOut', status: 'True', reason: 'R', message: '1 of 3' }],
      }),
      descendants: { ...none, deployments: [deployment('md', { RollingOut: ['True', 'R', '2 of 3'] })] },
    },
    then: 'True RollingOut: * Bridge c: 1 of 3\n* MachineDeployment md: 2 of 3',
  },
  {
    name: 'cannot read the control plane',
    type: 'ScalingUp',
    given: { controlPlane: { type: 'failed' } },
    then: 'Unknown InternalError: Please check controller logs for errors',
  },
  {
    name: 'counts only stand-alone sets beside deployments',
    type: 'ScalingDown',
    given: {
      descendants: { ...none, sets: [ownedSet('alone', 'Cluster', 'c'), ownedSet('of-md', 'MachineDeployment', 'md')] },
    },
    then: 'True ScalingDown: * MachineSet alone: from 2 to 1',
  },
  {
    name: 'was not marked for remediation',
    type: 'Remediating',
    given: {
      descendants: {
        ...none,
        workerMachines: [machineFixture('sick', { conditions: { HealthCheckSucceeded: 'False' } })],
      },
    },
    then: 'False NotRemediating: Machine sick is not healthy (not to be remediated)',
  },
  {
    name: 'was marked for remediation',
    type: 'Remediating',
    given: {
      descendants: {
        ...none,
        controlPlaneMachines: [
          controlPlaneMachine('sick', {
            conditions: { HealthCheckSucceeded: 'False', OwnerRemediated: ['False', 'MachineDeleting', 'going'] },
          }),
        ],
      },
    },
    then: 'True Remediating: * Machine sick: going',
  },
  { name: 'is not being deleted', type: 'Deleting', given: {}, then: 'False NotDeleting: ' },
  {
    name: 'is being deleted',
    type: 'Deleting',
    given: {
      cluster: cluster(({ metadata }) => void (metadata.deletionTimestamp = '2026-01-01T00:00:00Z')),
      deleting: { reason: 'WaitingForWorkersDeletion', message: '* Worker Machines: a' },
    },
    then: 'True WaitingForWorkersDeletion: * Worker Machines: a',
  },
];

function ownedSet(name: string, kind: string, owner: string): MachineSet {
  return machineSetFixture(1, (set) => {
    set.metadata = {
      name,
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name: owner, uid: owner }],
    };
    set.status = { conditions: conditionsOf({ ScalingDown: ['True', 'ScalingDown', 'from 2 to 1'] }) };
  });
}

describe('conditions of a cluster', () => {
  it.each(rows)('$type: $name', ({ type, given, then }) => {
    expect(textOf(clusterConditions(input(given)).find((condition) => condition.type === type))).toBe(then);
  });

  it('reports a lost connection after the grace period', () => {
    const lost = { connected: false, consecutiveFailures: 5, lastProbeSuccessAt: nowMs - 30_000 };
    expect(clusterDueMs(input({ health: lost }))).toBe(20_001);
    expect(clusterDueMs(input())).toBeUndefined();
    const workerMachines = [machineFixture('m', { created: '2026-01-01T00:59:51Z' }), machineFixture('old')];
    expect(clusterDueMs(input({ descendants: { ...none, workerMachines } }))).toBe(1_001);
  });
});

describe('Available', () => {
  const well: NonNullable<Conditions> = {
    Deleting: ['False', 'NotDeleting'],
    RemoteConnectionProbe: 'True',
    InfrastructureReady: 'True',
    ControlPlaneAvailable: 'True',
    WorkersAvailable: 'True',
  };
  const available = (conditions: Conditions, change: (cluster: Cluster) => void = () => undefined) =>
    textOf(
      availableCondition(
        edit(cluster(change), (draft) => void (draft.status = { conditions: conditionsOf(conditions) })),
        undefined,
      ),
    );

  it('is True when all parts are available', () => {
    expect(available(well)).toBe('True Available: ');
  });

  it('reports the parts that are not available', () => {
    expect(available({ ...well, WorkersAvailable: ['False', 'NotAvailable', '* MachineDeployment md: none'] })).toBe(
      'False NotAvailable: * WorkersAvailable:\n  * MachineDeployment md: none',
    );
  });

  it('ignores deleted parts while the Cluster is being deleted', () => {
    const gone = ['False', 'ObjectDeleted', 'gone'] as const;
    const deleted = ({ metadata }: Cluster): void => void (metadata.deletionTimestamp = '2026-01-01T00:00:00Z');
    const conditions = { ...well, Deleting: ['True', 'Deleting', 'x'] as const, InfrastructureReady: gone };
    expect(available(conditions, deleted)).toBe('False NotAvailable: * Deleting: x');
  });

  it('ignores a topology unless it fails', () => {
    const withTopology = ({ spec }: Cluster): void =>
      void (spec.topology = { classRef: { name: 'c' }, version: 'v1.35.0' });
    const reconciled = (reason: string) => ({ ...well, TopologyReconciled: ['False', reason, 'm'] as const });
    expect(available(reconciled('ClusterUpgrading'), withTopology)).toBe('True Available: * TopologyReconciled: m');
    expect(available(reconciled('ReconcileFailed'), withTopology)).toBe('False NotAvailable: * TopologyReconciled: m');
    expect(available(well, withTopology)).toBe(
      'Unknown AvailableUnknown: * TopologyReconciled: Condition not yet reported',
    );
  });

  it('includes the availability gates of the cluster, or else of its class', () => {
    const gates = [{ conditionType: 'Watered' }, { conditionType: 'Burning', polarity: 'Negative' as const }];
    const gated = ({ spec }: Cluster): void => void (spec.availabilityGates = gates);
    expect(available({ ...well, Watered: 'True', Burning: ['True', 'Hot', 'fire'] }, gated)).toBe(
      'False NotAvailable: * Burning: fire',
    );
  });
});
