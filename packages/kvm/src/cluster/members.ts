import { clusterNameOf, isControlPlaneMachine, keysOfCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { edit, getCondition, isDeleting, type ReconcileContext, setCondition, type Sources } from '@slipway/runtime';
import { type KVMCluster, kvmConditions, type KVMMachine, kvmMachines } from '../api/index.js';
import type { EndpointMember } from './endpoint-service.js';

export function machinesOf(sources: Sources, kvmCluster: Frozen<KVMCluster>): Frozen<KVMMachine>[] {
  const name = clusterNameOf({ metadata: kvmCluster.metadata }) ?? '';
  const source = sources.sourceFor(kvmMachines);
  return keysOfCluster(sources, kvmMachines, { namespace: kvmCluster.metadata.namespace ?? '', name })
    .map((key) => source.get(key))
    .filter((machine) => machine !== undefined);
}

/**
 * Returns the API servers of the control plane, sorted by name. A machine is a member as soon as it runs: its Node cannot become
 * ready before the endpoint routes to it.
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

const type = kvmConditions.loadBalancerAttached;

/**
 * Sets a condition on each control plane machine that reports whether the endpoint routes to it. The deletion of a machine waits
 * until the endpoint does not.
 */
export async function reportAttachment(
  context: Pick<ReconcileContext, 'clock' | 'change'>,
  members: readonly EndpointMember[],
  attached: readonly string[],
): Promise<void> {
  for (const { kvmMachine, name } of members) {
    const isAttached = attached.includes(name);
    const after = withAttachment(kvmMachine, isAttached, context.clock.now());
    if (after === kvmMachine) continue;
    await context.change({
      verb: 'status',
      resource: kvmMachines,
      before: kvmMachine,
      after,
      ownedConditions: [type],
      reason: isAttached ? 'EndpointAttached' : 'EndpointDetached',
      message: `the control plane endpoint ${isAttached ? 'routes' : 'does not route'} to this machine`,
      event: { about: kvmMachine },
    });
  }
}

function withAttachment(kvmMachine: Frozen<KVMMachine>, isAttached: boolean, nowMs: number): Frozen<KVMMachine> {
  const known = getCondition(kvmMachine, type)?.status;
  const status = isAttached ? 'True' : 'False';
  if (known === status || (known === undefined && !isAttached)) return kvmMachine;
  const reason = isAttached ? 'Attached' : 'Detached';
  return edit(kvmMachine, (draft) => setCondition(draft, { type, status, reason, message: '' }, nowMs));
}
