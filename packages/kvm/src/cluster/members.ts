import { clusterNameOf, isControlPlaneMachine, keysOfCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isDeleting, type Sources } from '@slipway/runtime';
import { type KVMCluster, type KVMMachine, kvmMachines } from '../api/index.js';
import type { EndpointMember } from './endpoint-service.js';

export function machinesOf(sources: Sources, kvmCluster: Frozen<KVMCluster>): Frozen<KVMMachine>[] {
  const name = clusterNameOf({ metadata: kvmCluster.metadata }) ?? '';
  const source = sources.sourceFor(kvmMachines);
  return keysOfCluster(sources, kvmMachines, { namespace: kvmCluster.metadata.namespace ?? '', name })
    .map((key) => source.get(key))
    .filter((machine) => machine !== undefined);
}

/**
 * The API servers of the control plane, in an order that does not change by itself. A machine counts as soon as it runs: its
 * Node cannot become ready before the endpoint leads to it.
 */
export function membersOf(machines: readonly Frozen<KVMMachine>[]): EndpointMember[] {
  return machines
    .filter((machine) => isControlPlaneMachine(machine) && machine.status?.machineState === 'running')
    .flatMap((kvmMachine): EndpointMember[] => {
      const apiServer = kvmMachine.status?.vm?.apiServer;
      const name = kvmMachine.metadata.name ?? '';
      return apiServer === undefined ? [] : [{ name, kvmMachine, ...apiServer, isLeaving: isDeleting(kvmMachine) }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
