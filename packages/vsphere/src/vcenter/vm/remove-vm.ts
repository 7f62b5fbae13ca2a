import { type ClusterCache, reasons } from '@slipway/cluster-api';
import { parseTime } from '@slipway/kube';
import {
  type Conditioned,
  FencedError,
  getCondition,
  isDeleting,
  keyOf,
  nodes,
  type Outcome,
  wait,
} from '@slipway/runtime';
import { vsphereConditions } from '../../api/index.js';
import { ClusterModules, NotFoundInInventory, type ObjectRef } from '../../vim25/index.js';
import { releaseAddresses } from './address-claims.js';
import { guestFailed, planRemoval, type SoftPowerOff } from './plan-removal.js';
import { callVCenter, startTask, type VCenterCall, type VmScope } from './vm-scope.js';
import { findVmPower, type VmPower } from './vm-state.js';

/** Applies the next step of the deletion. Returns undefined once the VM and its claims are deleted. */
export async function removeVm(
  scope: VmScope,
  workloads: ClusterCache,
  isDestroyed: boolean,
): Promise<{ readonly outcome: Outcome; readonly machine?: ObjectRef } | undefined> {
  const { report } = scope;
  report.provisioned({ status: 'False', reason: 'Deleting' });
  const state = isDestroyed ? undefined : await stateOf(scope);
  if (state === undefined) {
    await deleteNode(scope, workloads);
    await releaseAddresses(scope.context, report.vm);
    return undefined;
  }
  return { outcome: await takeStep(scope, state), machine: state.ref };
}

/** Returns the state of the VM. Undefined if its datacenter or folder does not exist: then the VM does not exist either. */
async function stateOf({ report, session, finder, options }: VmScope): Promise<VmPower | undefined> {
  try {
    return await findVmPower({ vm: report.vm, session, finder, options });
  } catch (error) {
    if (error instanceof NotFoundInInventory) return undefined;
    throw error;
  }
}

async function takeStep(scope: VmScope, state: VmPower): Promise<Outcome> {
  const { report, context, session, options } = scope;
  const soft = softPowerOffOf(report);
  const step = planRemoval(report.vm.spec, state, soft, context.clock.now());
  switch (step.type) {
    case 'powerOff':
      return runTask(scope, 'power off the VM', {
        action: 'power off VM',
        message: 'Powering off the VM: it is being deleted',
        run: () => session.soap.call('PowerOffVM_Task', state.ref, {}, options),
      });
    case 'shutDownGuest':
      await callVCenter(scope, {
        action: 'shut down guest',
        reason: reasons.deleting,
        message: 'Asking the guest to shut down: the VM is being deleted',
        run: () => session.soap.call('ShutdownGuest', state.ref, {}, options),
      });
      report.softPowerOff({ status: 'False', reason: 'InProgress' });
      return wait({ reason: 'GuestSoftPowerOffInProgress', message: 'Requested the guest to shut down' });
    case 'guestCannotShutDown': {
      const message = 'The guest tools are not running: start them, or set powerOffMode to trySoft or hard';
      report.softPowerOff({ status: 'False', reason: guestFailed, message });
      return wait({ reason: 'GuestSoftPowerOffFailed', message });
    }
    case 'waitForGuest':
      return wait({
        ms: step.ms,
        reason: 'GuestSoftPowerOffInProgress',
        message: 'Waiting for the guest to shut down',
      });
    case 'destroy':
      return destroy(scope, state, soft);
  }
}

async function destroy(scope: VmScope, state: VmPower, soft: SoftPowerOff | undefined): Promise<Outcome> {
  const { report, session, options } = scope;
  if (soft !== undefined) report.softPowerOff({ status: 'True', reason: 'Succeeded' });
  const { moduleUUID = '' } = report.vm.status ?? {};
  if (moduleUUID !== '')
    await callVCenter(scope, {
      action: 'remove from cluster module',
      reason: reasons.deleting,
      message: `Removing the VM from cluster module ${moduleUUID}: the VM is being deleted`,
      run: () => new ClusterModules(session.rest, options).remove(moduleUUID, [state.ref.value]),
    });
  return runTask(scope, 'destroy the VM', {
    action: 'destroy VM',
    message: 'Destroying the VM: it is powered off and being deleted',
    run: () => session.soap.call('Destroy_Task', state.ref, {}, options),
  });
}

async function runTask(scope: VmScope, what: string, call: Omit<VCenterCall<ObjectRef>, 'reason'>): Promise<Outcome> {
  const task = await startTask(scope, { ...call, reason: reasons.deleting });
  return wait({ reason: 'Deleting', message: `Waiting for vCenter task ${task.value} to ${what}` });
}

function softPowerOffOf({ vm }: VmScope['report']): SoftPowerOff | undefined {
  const condition = getCondition(vm as Conditioned, vsphereConditions.guestSoftPowerOffSucceeded);
  if (condition === undefined) return undefined;
  return { reason: condition.reason, sinceMs: parseTime(condition.lastTransitionTime) };
}

/** Deletes the Node: a Node that outlives its VM would block the next Node of that name. */
async function deleteNode({ context, report, parents }: VmScope, workloads: ClusterCache): Promise<void> {
  const { cluster } = parents;
  if (cluster === undefined || isDeleting(cluster)) return;
  const on = workloads.connectedCluster(keyOf(cluster));
  if (on === undefined) return;
  const name = report.vm.metadata.name ?? '';
  const message = `Deleted Node ${name}: its VM no longer exists`;
  try {
    const key = { namespace: '', name };
    await context.change({ verb: 'delete', on, resource: nodes, key, reason: reasons.deleting, message });
  } catch (error) {
    if (error instanceof FencedError) throw error;
    context.logger.warn({ Node: name, err: error }, 'Failed to delete the Node of a destroyed VM');
  }
}
