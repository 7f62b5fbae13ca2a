import type { Frozen } from '@slipway/kube';
import { isConditionTrue, isOwnedBy } from '@slipway/runtime';
import type { Cluster } from '../api/index.js';
import { controlPlane, type ProviderState } from '../contract/index.js';
import type { ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { sumVersions, type VersionCount } from '../version/index.js';
import { type Descendants, isPoolMachine } from './descendants.js';

export type ReplicaCounters = NonNullable<NonNullable<Cluster['status']>['controlPlane']>;

interface Counts {
  readonly desiredReplicas?: number | undefined;
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly upToDateReplicas?: number | undefined;
  readonly versions?: readonly VersionCount[] | undefined;
}

const countNames = ['desiredReplicas', 'replicas', 'readyReplicas', 'availableReplicas', 'upToDateReplicas'] as const;

/** Sums counters. A counter that no object reports stays undefined. */
function addUp(counts: readonly Counts[]): ReplicaCounters {
  const sums: ReplicaCounters = {};
  for (const name of countNames) {
    const known = counts.flatMap((each) => each[name] ?? []);
    if (known.length > 0) sums[name] = known.reduce((sum, value) => sum + value, 0);
  }
  const versions = sumVersions(counts.flatMap((each) => each.versions ?? []));
  return versions === undefined ? sums : { ...sums, versions };
}

/** Returns the counters of the control plane object, or those of the control plane machines if there is no such object. */
export function controlPlaneCounters(
  cluster: ObservedCluster,
  state: ProviderState,
  machines: readonly ObservedMachine[],
): ReplicaCounters {
  const kept = upgradePlanOf(cluster.status?.controlPlane);
  if (cluster.spec.controlPlaneRef === undefined && cluster.spec.topology === undefined)
    return { ...kept, ...addUp(machines.map(countsOfMachine)) };
  if (state.type !== 'found') return kept;
  const read = controlPlane.read(state.object, state.kind.contract);
  return { ...kept, ...addUp([{ ...read, desiredReplicas: read.specReplicas }]) };
}

export function workerCounters(cluster: ObservedCluster, descendants: Descendants): ReplicaCounters {
  const { pools, deployments, sets, workerMachines } = descendants;
  const alone = <T extends { readonly metadata: ObservedMachine['metadata'] }>(objects: readonly T[]): T[] =>
    objects.filter((object) => isOwnedBy(object, cluster));
  const owners: Counts[] = [...pools, ...deployments, ...alone(sets)].map(({ spec, status }) => ({
    ...status,
    desiredReplicas: spec.replicas,
  }));
  const machines = alone(workerMachines.filter((machine) => !isPoolMachine(machine)));
  return { ...upgradePlanOf(cluster.status?.workers), ...addUp([...owners, ...machines.map(countsOfMachine)]) };
}

/** Returns the counters of a stand-alone machine. It counts as one desired replica. */
function countsOfMachine(machine: ObservedMachine): Counts {
  const count = (type: string): number | undefined => (isConditionTrue(machine, type) ? 1 : undefined);
  const { version } = machine.spec;
  return {
    desiredReplicas: 1,
    replicas: 1,
    readyReplicas: count('Ready'),
    availableReplicas: count('Available'),
    upToDateReplicas: count('UpToDate'),
    versions: version === undefined ? [] : [{ version, replicas: 1 }],
  };
}

/** Returns the upgrade plan, which the topology controller writes next to the counters. */
function upgradePlanOf(counters: Frozen<ReplicaCounters> | undefined): Pick<ReplicaCounters, 'upgradePlan'> {
  return counters?.upgradePlan === undefined ? {} : { upgradePlan: counters.upgradePlan.map((step) => ({ ...step })) };
}
