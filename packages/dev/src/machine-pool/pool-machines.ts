import type { Random } from '@slipway/base';
import { formatLabelValue, labels, type MachinePool } from '@slipway/cluster-api';
import { type Frozen, generateName } from '@slipway/kube';
import { type Index, ownerReference, type Sources } from '@slipway/runtime';
import { devAnnotations, type DevMachine, type DevMachinePool, devMachines } from '../api/index.js';

const byOwner: Index<DevMachine> = {
  name: 'owner',
  valuesOf: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
};

/**
 * Returns the machines of the pool by name, including deleting ones. The cache has no defined order: after a restart it differs from
 * the order of creation, and the pool would delete its machines in another order than `slipway plan` reports.
 */
export function machinesOfPool(sources: Sources, devPool: Frozen<DevMachinePool>): readonly Frozen<DevMachine>[] {
  const members = sources.sourceFor(devMachines).byIndex(byOwner, devPool.metadata.uid ?? '');
  return [...members].sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
}

/**
 * Whether a machine has the version of its pool. Machines are replaced only if the version changes, not the rest of the template.
 */
export function isUpToDate(member: Frozen<DevMachine>, pool: Frozen<MachinePool>): boolean {
  return (member.metadata.annotations?.[devAnnotations.version] ?? '') === (pool.spec.template.spec.version ?? '');
}

export function machineOfPool(devPool: Frozen<DevMachinePool>, pool: Frozen<MachinePool>, random: Random): DevMachine {
  const { namespace = '', name = '' } = devPool.metadata;
  const { version } = pool.spec.template.spec;
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'DevMachine',
    metadata: {
      name: generateName(`${name}-`, random),
      namespace,
      labels: {
        [labels.clusterName]: pool.spec.clusterName,
        [labels.poolName]: formatLabelValue(pool.metadata.name ?? ''),
      },
      annotations: version === undefined ? {} : { [devAnnotations.version]: version },
      ownerReferences: [ownerReference(devPool)],
    },
    spec: { backend: { inMemory: {} } },
  };
}
