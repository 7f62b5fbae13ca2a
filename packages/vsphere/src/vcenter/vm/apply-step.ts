import { type Cause, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { ClusterModules, type Data, make, type ObjectRef } from '../../vim25/index.js';
import { metadataOptions } from '../guest/user-data.js';
import { disksOf } from './clone-devices.js';
import type { VmStep } from './plan-vm.js';
import { callVCenter, startTask, type VCenterCall, type VmScope } from './vm-scope.js';
import type { VmState } from './vm-state.js';

export type DueStep = Exclude<VmStep, { readonly type: 'ready' }>;

/** Applies one step. Returns undefined if the next step can follow in the same reconcile. */
export async function applyStep(scope: VmScope, state: VmState, step: DueStep): Promise<Outcome | undefined> {
  const { report, options, session } = scope;
  const { soap } = session;
  switch (step.type) {
    case 'upgradeHardware':
      return runTask(scope, step, {
        action: 'upgrade hardware version',
        reason: 'HardwareVersionOutdated',
        message: `Upgrading the virtual hardware to ${step.version}`,
        run: () => soap.call('UpgradeVM_Task', state.ref, { version: step.version }, options),
      });
    case 'addPciDevices':
      return reconfigure(scope, state, step, { deviceChange: step.changes });
    case 'setMetadata':
      return reconfigure(scope, state, step, { extraConfig: metadataOptions(step.text) });
    case 'setStoragePolicy':
      return reconfigure(scope, state, step, policySpec(state, step));
    case 'joinGroup':
      return joinGroup(scope, state, step);
    case 'joinModule':
      await callVCenter(scope, {
        action: 'add to cluster module',
        reason: 'NotInClusterModule',
        message: `Adding the VM to cluster module ${step.id}`,
        run: () => new ClusterModules(session.rest, options).add(step.id, [state.ref.value]),
      });
      report.editStatus((status) => {
        status.moduleUUID = step.id;
      });
      return undefined;
    case 'powerOn':
      report.provisioned({ status: 'False', reason: 'PoweringOn' });
      return runTask(scope, step, {
        action: 'power on VM',
        reason: 'PoweringOn',
        message: 'Powering on the VM: it is configured',
        run: () => soap.call('PowerOnVM_Task', state.ref, {}, options),
      });
    default:
      return notYet(scope, step);
  }
}

function notYet(
  { report }: VmScope,
  step: Extract<DueStep, { type: 'pciDevicesDetached' | 'waitForCards' | 'waitForAddresses' | 'badPowerState' }>,
): Outcome {
  switch (step.type) {
    case 'pciDevicesDetached':
      report.pciDevices(true);
      throw new ReconcileError('MissingPCIDevices', 'missing PCI devices', {
        retry: 'later',
        remedy: 'power off the VM: devices are added only while it is off',
      });
    case 'waitForCards':
      throw new ReconcileError('WaitingForDevices', 'waiting for devices to have MAC address set', { retry: 'later' });
    case 'waitForAddresses': {
      const message = 'Waiting for IPAddressClaims to be fulfilled';
      report.provisioned({ status: 'False', reason: 'WaitingForIPAddress', message });
      return wait({ reason: 'WaitingForIPAddress', message });
    }
    case 'badPowerState':
      throw new ReconcileError('UnexpectedPowerState', `unexpected power state ${step.powerState} of the VM`, {
        retry: 'later',
        remedy: 'power the VM on or off in vCenter',
      });
  }
}

const reconfigurations: Readonly<Record<'addPciDevices' | 'setMetadata' | 'setStoragePolicy', Cause>> = {
  addPciDevices: { reason: 'PCIDevicesMissing', message: 'Adding the PCI devices of the spec' },
  setMetadata: { reason: 'MetadataChanged', message: 'Writing the metadata that the guest reads its network from' },
  setStoragePolicy: { reason: 'StoragePolicyMissing', message: 'Setting the storage policy of the disks' },
};

function reconfigure(
  scope: VmScope,
  { ref }: VmState,
  step: Extract<DueStep, { type: keyof typeof reconfigurations }>,
  spec: Data<'VirtualMachineConfigSpec'>,
): Promise<Outcome> {
  const { session, options } = scope;
  return runTask(scope, step, {
    action: 'reconfigure VM',
    ...reconfigurations[step.type],
    run: () => session.soap.call('ReconfigVM_Task', ref, { spec }, options),
  });
}

function joinGroup(scope: VmScope, state: VmState, step: Extract<DueStep, { type: 'joinGroup' }>): Promise<Outcome> {
  const { cluster, name, members } = step.group;
  const { session, options } = scope;
  const info = make('ClusterVmGroup', { name, vm: [...members, state.ref] });
  const spec = make('ClusterConfigSpecEx', { groupSpec: [{ operation: 'edit', info }] });
  return runTask(scope, step, {
    action: 'add to VM group',
    reason: 'NotInVMGroup',
    message: `Adding the VM to VM group ${name} of its failure domain`,
    run: () => session.soap.call('ReconfigureComputeResource_Task', cluster, { spec, modify: true }, options),
  });
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

async function runTask(scope: VmScope, step: DueStep, call: VCenterCall<ObjectRef>): Promise<Outcome> {
  const task = await startTask(scope, call);
  return wait({ reason: 'TaskRunning', message: `Waiting for vCenter task ${task.value} (${step.type})` });
}
