import { type MachineOwners, machineOwnersOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, Sources } from '@slipway/runtime';
import { type HostCluster, hostClusters, type HostMachine, hostMachines } from '../api/index.js';

export interface ObservedHostMachine extends MachineOwners {
  readonly hostMachine: Frozen<HostMachine>;
  readonly hostCluster: Frozen<HostCluster> | undefined;
}

export function observe(sources: Sources, key: ObjectKey): ObservedHostMachine | undefined {
  const hostMachine = sources.sourceFor(hostMachines).get(key);
  if (hostMachine === undefined) return undefined;
  const { namespace = '' } = hostMachine.metadata;
  const owners = machineOwnersOf(sources, hostMachine);
  const { kind = '', name = '' } = owners.cluster?.spec.infrastructureRef ?? {};
  const hostCluster = kind === hostClusters.kind ? sources.sourceFor(hostClusters).get({ namespace, name }) : undefined;
  return { hostMachine, ...owners, hostCluster };
}
