import { clusterNameOf, isControlPlaneMachine, keysOfCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isDeleting, type Sources } from '@slipway/runtime';
import { type HostCluster, type HostMachine, hostMachines } from '../api/index.js';
import type { Backend } from '../engine/index.js';

function machinesOf(sources: Sources, hostCluster: Frozen<HostCluster>): Frozen<HostMachine>[] {
  const name = clusterNameOf({ metadata: hostCluster.metadata }) ?? '';
  const source = sources.sourceFor(hostMachines);
  return keysOfCluster(sources, hostMachines, { namespace: hostCluster.metadata.namespace ?? '', name })
    .map((key) => source.get(key))
    .filter((machine) => machine !== undefined);
}

/** Returns the names of the machines that still use the network. */
export function machinesLeft(sources: Sources, hostCluster: Frozen<HostCluster>): string[] {
  return machinesOf(sources, hostCluster).map(({ metadata }) => metadata.name ?? '');
}

/** Returns the addresses of the control plane's API servers, in a stable order. */
export function backendsOf(sources: Sources, hostCluster: Frozen<HostCluster>, port: number): Backend[] {
  return machinesOf(sources, hostCluster)
    .filter((machine) => isControlPlaneMachine(machine) && !isDeleting(machine))
    .flatMap(({ status }) => status?.addresses ?? [])
    .filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => address)
    .sort()
    .map((host) => ({ host, port }));
}
