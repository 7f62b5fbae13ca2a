import type { Frozen } from '@slipway/kube';
import {
  type Condition,
  defaultPriority,
  isDeleting,
  type MergePriority,
  type NewCondition,
  reasonByWorst,
  summaryCondition,
} from '@slipway/runtime';
import { type ClusterClass, reasons, topologyReasons } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';

const ownTypes = [
  'Deleting',
  'RemoteConnectionProbe',
  'InfrastructureReady',
  'ControlPlaneAvailable',
  'WorkersAvailable',
  'TopologyReconciled',
] as const;

/** Sums up the conditions that have been set before, and those that the user or the class named as gates. */
export function availableCondition(
  cluster: ObservedCluster,
  clusterClass: Frozen<ClusterClass> | undefined,
): NewCondition {
  const gates = cluster.spec.availabilityGates ?? clusterClass?.spec.availabilityGates ?? [];
  const negativeTypes = [
    'Deleting',
    ...gates.filter(({ polarity }) => polarity === 'Negative').map(({ conditionType }) => conditionType),
  ];
  return summaryCondition(cluster, 'Available', {
    types: [...ownTypes, ...gates.map(({ conditionType }) => conditionType)],
    negativeTypes,
    ignoreIfMissing: cluster.spec.topology === undefined ? ['TopologyReconciled'] : [],
    strategy: {
      priorityOf: priorityOf(cluster, negativeTypes),
      reasonOf: reasonByWorst(reasons.notAvailable, reasons.availableUnknown, reasons.available),
    },
  });
}

const goneReasons: readonly string[] = [reasons.objectDeleted, reasons.objectDoesNotExist];
const topologyIssues: readonly string[] = [topologyReasons.reconcileFailed, topologyReasons.clusterClassNotReconciled];

function priorityOf(
  cluster: ObservedCluster,
  negativeTypes: readonly string[],
): (condition: Readonly<Condition>) => MergePriority {
  const byStatus = defaultPriority(negativeTypes);
  const deleting = isDeleting(cluster);
  return (condition) => {
    const { type, status, reason } = condition;
    // While the cluster is deleted, its parts are meant to be gone.
    const isPart = type === 'InfrastructureReady' || type === 'ControlPlaneAvailable';
    if (deleting && isPart && goneReasons.includes(reason)) return 'info';
    // A topology that has work left does not make a running cluster unavailable.
    if (type === 'TopologyReconciled' && status === 'False' && !topologyIssues.includes(reason)) return 'info';
    return byStatus(condition);
  };
}
