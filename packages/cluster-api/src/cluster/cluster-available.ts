import type { Frozen } from '@slipway/kube';
import { type Condition, isDeleting, type NewCondition } from '@slipway/runtime';
import { type ClusterClass, reasons, topologyReasons } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { defaultPriority, type MergePriority, reasonByWorst, summaryCondition } from '../toolkit/index.js';

const ownTypes = [
  'Deleting',
  'RemoteConnectionProbe',
  'InfrastructureReady',
  'ControlPlaneAvailable',
  'WorkersAvailable',
  'TopologyReconciled',
] as const;

/**
 * Returns the Available condition: a summary of the other conditions and of the availability gates of the Cluster or its
 * ClusterClass.
 */
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
    // While the Cluster is being deleted, its infrastructure and control plane are expected to disappear.
    const isPart = type === 'InfrastructureReady' || type === 'ControlPlaneAvailable';
    if (deleting && isPart && goneReasons.includes(reason)) return 'info';
    // A topology with pending changes does not make a running cluster unavailable.
    if (type === 'TopologyReconciled' && status === 'False' && !topologyIssues.includes(reason)) return 'info';
    return byStatus(condition);
  };
}
