import { parseTime } from '@slipway/kube';
import {
  type Conditioned,
  getCondition,
  ifPresent,
  isDeleting,
  keyOf,
  nodes,
  type Outcome,
  wait,
} from '@slipway/runtime';
import type { ClusterCache } from '@slipway/runtime';
import { vsphereConditions } from '../../api/index.js';
import { ClusterModules, NotFoundInInventory, type ObjectRef } from '../../vim25/index.js';
import { releaseAddresses } from './address-claims.js';
import { guestFailed, planRemoval, type SoftPowerOff } from './plan-removal.js';
import { beginTask, type VmPass } from './vm-pass.js';
import { findVmPower, type VmPower } from './vm-state.js';

/** Takes the machine one step towards being gone. Undefined once it is, with all that it held. */
export async function removeVm(
  pass: VmPass,
  workloads: ClusterCache,
  isDestroyed: boolean,
): Promise<{ readonly outcome: Outcome; readonly machine?: ObjectRef } | undefined> {
  const { report } = pass;
  report.provisioned({ status: 'False', reason: 'Deleting' });
  const state = isDestroyed ? undefined : await stateOf(pass);
  if (state === undefined) {
    await deleteNode(pass, workloads);
    await releaseAddresses(pass.context, report.vm);
    return undefined;
  }
  return { outcome: await takeStep(pass, state), machine: state.ref };
}

/** A datacenter or folder that is gone has taken its machines along. */
async function stateOf({ report, session, finder, options }: VmPass): Promise<VmPower | undefined> {
  try {
    return await findVmPower({ vm: report.vm, session, finder, options });
  } catch (error) {
    if (error instanceof NotFoundInInventory) return undefined;
    throw error;
  }
}

async function takeStep(pass: VmPass, state: VmPower): Promise<Outcome> {
  const { report, context, session, options } = pass;
  const soft = softPowerOffOf(report);
  context.check();
  const step = planRemoval(report.vm.spec, state, soft, context.clock.now());
  switch (step.type) {
    case 'powerOff':
      return task(pass, await session.soap.call('PowerOffVM_Task', state.ref, {}, options), 'powers it off');
    case 'shutDownGuest':
      await session.soap.call('ShutdownGuest', state.ref, {}, options);
      report.softPowerOff({ status: 'False', reason: 'InProgress' });
      return wait({ reason: 'GuestSoftPowerOffInProgress', message: 'the guest is asked to shut down' });
    case 'guestCannotShutDown': {
      const message = 'the guest tools do not run: start them, or set powerOffMode to trySoft or hard';
      report.softPowerOff({ status: 'False', reason: guestFailed, message });
      return wait({ reason: 'GuestSoftPowerOffFailed', message });
    }
    case 'waitForGuest':
      return wait({ ms: step.ms, reason: 'GuestSoftPowerOffInProgress', message: 'the guest shuts down' });
    case 'destroy':
      return destroy(pass, state, soft);
  }
}

async function destroy(pass: VmPass, state: VmPower, soft: SoftPowerOff | undefined): Promise<Outcome> {
  const { report, session, options } = pass;
  if (soft !== undefined) report.softPowerOff({ status: 'True', reason: 'Succeeded' });
  const { moduleUUID = '' } = report.vm.status ?? {};
  if (moduleUUID !== '') await new ClusterModules(session.rest, options).remove(moduleUUID, [state.ref.value]);
  return task(pass, await session.soap.call('Destroy_Task', state.ref, {}, options), 'destroys it');
}

async function task(pass: VmPass, ref: ObjectRef, what: string): Promise<Outcome> {
  await beginTask(pass, ref);
  return wait({ reason: 'Deleting', message: `vCenter ${what} by ${ref.value}` });
}

function softPowerOffOf({ vm }: VmPass['report']): SoftPowerOff | undefined {
  const condition = getCondition(vm as Conditioned, vsphereConditions.guestSoftPowerOffSucceeded);
  if (condition === undefined) return undefined;
  return { reason: condition.reason, sinceMs: parseTime(condition.lastTransitionTime) };
}

/** A Node that outlives its machine is in the way of the next one of that name. */
async function deleteNode({ context, report, parents }: VmPass, workloads: ClusterCache): Promise<void> {
  const { cluster } = parents;
  if (cluster === undefined || isDeleting(cluster)) return;
  const client = workloads.connectedClient(keyOf(cluster));
  if (client === undefined) return;
  const name = report.vm.metadata.name ?? '';
  try {
    await ifPresent(client.delete(nodes, { namespace: '', name }, { signal: context.signal }));
  } catch (error) {
    context.logger.warn({ Node: name, err: error }, 'Deleting the Node of a machine that is gone failed');
  }
}
