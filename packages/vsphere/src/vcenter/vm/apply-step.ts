import { type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { ClusterModules, type Data, make, type ObjectRef } from '../../vim25/index.js';
import { metadataOptions } from '../guest/user-data.js';
import { disksOf } from './clone-devices.js';
import type { VmStep } from './plan-vm.js';
import { beginTask, type VmPass } from './vm-pass.js';
import type { VmState } from './vm-state.js';

export type DueStep = Exclude<VmStep, { readonly type: 'ready' }>;

/** Does one step. Undefined: the next one can be looked for at once. */
export async function applyStep(pass: VmPass, state: VmState, step: DueStep): Promise<Outcome | undefined> {
  const { report, options, context } = pass;
  const { soap } = pass.session;
  // vCenter knows nothing of leases: whoever may not act any more must not ask it for anything.
  context.check();
  switch (step.type) {
    case 'upgradeHardware':
      return task(pass, step, await soap.call('UpgradeVM_Task', state.ref, { version: step.version }, options));
    case 'addPciDevices':
      return reconfigure(pass, state, step, { deviceChange: step.changes });
    case 'setMetadata':
      return reconfigure(pass, state, step, { extraConfig: metadataOptions(step.text) });
    case 'setStoragePolicy':
      return reconfigure(pass, state, step, policySpec(state, step));
    case 'joinGroup':
      return joinGroup(pass, state, step);
    case 'joinModule':
      await new ClusterModules(pass.session.rest, pass.options).add(step.id, [state.ref.value]);
      report.editStatus((status) => {
        status.moduleUUID = step.id;
      });
      return undefined;
    case 'powerOn':
      report.provisioned({ status: 'False', reason: 'PoweringOn' });
      return task(pass, step, await soap.call('PowerOnVM_Task', state.ref, {}, options));
    default:
      return notYet(pass, step);
  }
}

function notYet(
  { report }: VmPass,
  step: Extract<DueStep, { type: 'pciDevicesDetached' | 'waitForCards' | 'waitForAddresses' | 'badPowerState' }>,
): Outcome {
  switch (step.type) {
    case 'pciDevicesDetached':
      report.pciDevices(true);
      throw new ReconcileError('MissingPCIDevices', 'missing PCI devices', {
        retry: 'later',
        remedy: 'switch the machine off, and they are added',
      });
    case 'waitForCards':
      throw new ReconcileError('WaitingForDevices', 'waiting for devices to have MAC address set', { retry: 'later' });
    case 'waitForAddresses': {
      const message = 'the claims of IP addresses are not fulfilled yet';
      report.provisioned({ status: 'False', reason: 'WaitingForIPAddress', message });
      return wait({ reason: 'WaitingForIPAddress', message });
    }
    case 'badPowerState':
      throw new ReconcileError('UnexpectedPowerState', `the machine is ${step.powerState}, neither on nor off`, {
        retry: 'later',
        remedy: 'switch it on or off in vCenter',
      });
  }
}

async function reconfigure(
  pass: VmPass,
  state: VmState,
  step: DueStep,
  spec: Data<'VirtualMachineConfigSpec'>,
): Promise<Outcome> {
  return task(pass, step, await pass.session.soap.call('ReconfigVM_Task', state.ref, { spec }, pass.options));
}

async function joinGroup(
  pass: VmPass,
  state: VmState,
  step: Extract<DueStep, { type: 'joinGroup' }>,
): Promise<Outcome> {
  const { cluster, name, members } = step.group;
  const info = make('ClusterVmGroup', { name, vm: [...members, state.ref] });
  const spec = make('ClusterConfigSpecEx', { groupSpec: [{ operation: 'edit', info }] });
  const { session, options } = pass;
  const ref = await session.soap.call('ReconfigureComputeResource_Task', cluster, { spec, modify: true }, options);
  return task(pass, step, ref);
}

function policySpec(
  state: VmState,
  { id, diskKeys }: Extract<DueStep, { type: 'setStoragePolicy' }>,
): Data<'VirtualMachineConfigSpec'> {
  const profile = [make('VirtualMachineDefinedProfileSpec', { profileId: id })];
  const disks = disksOf(state.devices).filter(({ key }) => diskKeys.includes(key));
  return {
    deviceChange: disks.map(({ _type, key, backing, controllerKey, unitNumber, capacityInKB }) => ({
      operation: 'edit',
      device: { _type, key, backing, controllerKey, unitNumber, capacityInKB } as Data<'VirtualDevice'>,
      profile,
    })),
    vmProfile: profile,
  };
}

async function task(pass: VmPass, step: DueStep, ref: ObjectRef): Promise<Outcome> {
  pass.context.logger.info({ step: step.type, task: ref.value }, 'Changing virtual machine');
  await beginTask(pass, ref);
  return wait({ reason: 'TaskRunning', message: `vCenter works on ${ref.value} (${step.type})` });
}
