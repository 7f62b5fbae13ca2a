import { done, FencedError, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { keyOf as referenceText, type ObjectRef, retrieveOne, Tags } from '../../vim25/index.js';
import { networkStatusOf } from '../guest/network-status.js';
import { claimAddresses } from './address-claims.js';
import { applyStep } from './apply-step.js';
import { cloneVm } from './clone-vm.js';
import { planVm } from './plan-vm.js';
import { observeSurroundings } from './surroundings.js';
import { callVCenter, type VmScope } from './vm-scope.js';
import type { NetworkDevice } from './vm-spec.js';
import { findVm, type VmState } from './vm-state.js';

/** Applies the next step to the VM. Also returns the VM, so that the caller can watch it. */
export async function ensureVm(scope: VmScope): Promise<{ readonly outcome: Outcome; readonly machine?: ObjectRef }> {
  const { context, report, session, finder, options } = scope;
  const { vm } = report;
  if (vm.spec.network.devices.some(waitsForStaticAddress)) return { outcome: waitForStaticAddress(scope) };
  const addresses = await claimAddresses(context, report);
  const state = await findVm({ vm, session, finder, options });
  if (state === undefined) return { outcome: await createVm(scope) };
  report.editStatus((status) => {
    status.network = networkStatusOf(state.devices, state.nics);
  });
  const around = await observeSurroundings(context, { ...scope, vm, state, addresses });
  let step = planVm(vm.spec, state, around);
  while (step.type !== 'ready') {
    const outcome = await applyStep(scope, state, step);
    if (outcome !== undefined) return { outcome, machine: state.ref };
    const { module } = around;
    step = planVm(vm.spec, state, module === undefined ? around : { ...around, module: { ...module, member: true } });
  }
  report.pciDevices(false);
  return { outcome: await reportReady(scope, state), machine: state.ref };
}

/** Returns whether nothing assigns addresses to the device: the user or another controller must set them. */
function waitsForStaticAddress(device: NetworkDevice): boolean {
  const { skipIPAllocation = false, dhcp4 = false, dhcp6 = false, ipAddrs = [], addressesFromPools = [] } = device;
  return !skipIPAllocation && !dhcp4 && !dhcp6 && ipAddrs.length === 0 && addressesFromPools.length === 0;
}

function waitForStaticAddress({ report }: VmScope): Outcome {
  const message =
    'a network device has neither DHCP nor ipAddrs nor addressesFromPools: set one of them, or skipIPAllocation';
  report.provisioned({ status: 'False', reason: 'WaitingForStaticIPAllocation', message });
  return wait({ reason: 'WaitingForStaticIPAllocation', message });
}

/** Clones a missing VM, unless it was ready before: a MachineHealthCheck then replaces its Machine. */
async function createVm(scope: VmScope): Promise<Outcome> {
  const { biosUUID = '' } = scope.report.vm.spec;
  if (biosUUID === '') return cloneVm(scope);
  const message = `vm with BIOS UUID ${biosUUID} not found in vCenter`;
  scope.report.provisioned({ status: 'False', reason: 'NotFoundByBIOSUUID', message });
  throw new ReconcileError('NotFoundByBIOSUUID', message, {
    retry: 'later',
    remedy: 'restore the VM, or delete the Machine to replace it',
  });
}

async function reportReady(scope: VmScope, state: VmState): Promise<Outcome> {
  const { report } = scope;
  const { vm } = report;
  const host = state.host && (await hostName(scope, state.host));
  await attachTags(scope, state.ref);
  if (state.biosUuid === '') throw new Error('vCenter has not reported the BIOS UUID of the VM yet');
  const addresses = (vm.status?.network ?? []).flatMap(({ ipAddrs = [] }) => ipAddrs);
  report.edit((draft) => {
    draft.spec.biosUUID = state.biosUuid;
    draft.status ??= {};
    draft.status.vmRef ??= referenceText(state.ref);
    draft.status.addresses = addresses;
    if (host !== undefined && host !== '') draft.status.host = host;
  });
  if (addresses.length === 0) {
    const message = 'The VM is powered on; waiting for its guest tools to report an IP address';
    report.provisioned({ status: 'False', reason: 'WaitingForIPAllocation', message });
    return wait({ reason: 'WaitingForIPAllocation', message });
  }
  report.editStatus((status) => {
    status.ready = true;
  });
  report.provisioned({ status: 'True', reason: 'Provisioned' });
  return done();
}

function hostName({ session, options }: VmScope, host: ObjectRef): Promise<string | undefined> {
  const read = async () => (await retrieveOne(session.soap, host, ['name'], options)).name;
  return session.names.recall(`host\n${host.value}`, read);
}

async function attachTags(scope: VmScope, machine: ObjectRef): Promise<void> {
  const { report, session, options } = scope;
  const { tagIDs = [] } = report.vm.spec;
  if (tagIDs.length === 0) return;
  const tags = new Tags(session.rest, options);
  try {
    const attached = await tags.attachedTo(machine);
    const missing = tagIDs.filter((id) => !attached.includes(id));
    if (missing.length === 0) return;
    await callVCenter(scope, {
      action: 'attach tags',
      reason: 'TagsMissing',
      message: `Attaching tags ${missing.join(', ')}`,
      run: () => tags.attach(machine, missing),
    });
  } catch (error) {
    if (error instanceof FencedError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    report.provisioned({ status: 'False', reason: 'NotProvisioned', message, old: ['TagsAttachmentFailed', 'Error'] });
    throw new ReconcileError('TagsAttachmentFailed', message, { retry: 'later', cause: error });
  }
}
