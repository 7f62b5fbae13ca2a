import type { Frozen } from '@slipway/kube';
import { edit, getCondition, patchObject, type ReconcileContext, setCondition } from '@slipway/runtime';
import { type KVMMachine, kvmConditions, kvmMachines } from '../api/index.js';
import type { EndpointMember } from './endpoint-service.js';

const type = kvmConditions.loadBalancerAttached;

/** Tells the machines of the control plane whether the endpoint leads to them: one that goes waits until it does not. */
export async function tellAttachment(
  context: ReconcileContext,
  members: readonly EndpointMember[],
  attached: readonly string[],
): Promise<void> {
  for (const { kvmMachine, name } of members) {
    const after = withAttachment(kvmMachine, attached.includes(name), context.clock.now());
    if (after === kvmMachine) continue;
    const { client, signal, events } = context;
    await patchObject(client, kvmMachines, kvmMachine, after, { ownedConditions: [type], signal });
    const isAttached = attached.includes(name);
    events.record(kvmMachine, {
      type: 'Normal',
      reason: isAttached ? 'EndpointAttached' : 'EndpointDetached',
      message: `the endpoint of the control plane ${isAttached ? 'leads' : 'does not lead'} to this machine`,
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
