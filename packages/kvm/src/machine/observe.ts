import { type MachineOwners, machineOwnersOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, Sources } from '@slipway/runtime';
import { type KVMCluster, kvmClusters, type KVMMachine, kvmMachines } from '../api/index.js';

export interface ObservedKVMMachine extends MachineOwners {
  readonly kvmMachine: Frozen<KVMMachine>;
  readonly kvmCluster: Frozen<KVMCluster> | undefined;
}

export function observe(sources: Sources, key: ObjectKey): ObservedKVMMachine | undefined {
  const kvmMachine = sources.sourceFor(kvmMachines).get(key);
  if (kvmMachine === undefined) return undefined;
  const { namespace = '' } = kvmMachine.metadata;
  const owners = machineOwnersOf(sources, kvmMachine);
  const { kind = '', name = '' } = owners.cluster?.spec.infrastructureRef ?? {};
  const kvmCluster = kind === kvmClusters.kind ? sources.sourceFor(kvmClusters).get({ namespace, name }) : undefined;
  return { kvmMachine, ...owners, kvmCluster };
}
