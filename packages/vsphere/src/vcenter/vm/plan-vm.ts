import type { Data, ObjectRef } from '../../vim25/index.js';
import { type PoolAddresses, renderMetadata } from '../guest/metadata.js';
import { networkCards } from '../guest/network-status.js';
import { missingPciDevices } from './pci-devices.js';
import type { VmSpec } from './vm-spec.js';
import type { VmState } from './vm-state.js';

/** State that the next step depends on, other than the state of the VM itself. */
export interface VmSurroundings {
  readonly name: string;
  /** IPAM addresses. Undefined until all claims have an address. */
  readonly pools: ReadonlyMap<string, PoolAddresses> | undefined;
  /** Desired storage policy, and the disks that do not have it. Checked only while the VM is powered off. */
  readonly policy?: { readonly id: string; readonly diskKeys: readonly number[] };
  /** The VM group of the failure domain, with its current members. */
  readonly group?: { readonly cluster: ObjectRef; readonly name: string; readonly members: readonly ObjectRef[] };
  /** The cluster module, and whether the VM is a member. */
  readonly module?: { readonly id: string; readonly member: boolean };
}

/** The next step for a VM. */
export type VmStep =
  | { readonly type: 'upgradeHardware'; readonly version: string }
  | { readonly type: 'addPciDevices'; readonly changes: readonly Data<'VirtualDeviceConfigSpec'>[] }
  | { readonly type: 'pciDevicesDetached' }
  | { readonly type: 'waitForCards' }
  | { readonly type: 'waitForAddresses' }
  | { readonly type: 'setMetadata'; readonly text: string }
  | { readonly type: 'setStoragePolicy'; readonly id: string; readonly diskKeys: readonly number[] }
  | { readonly type: 'joinGroup'; readonly group: NonNullable<VmSurroundings['group']> }
  | { readonly type: 'joinModule'; readonly id: string }
  | { readonly type: 'powerOn' }
  | { readonly type: 'badPowerState'; readonly powerState: string }
  | { readonly type: 'ready' };

/** Returns the first pending step. Steps that require a powered-off VM precede power-on. */
export function planVm(spec: VmSpec, state: VmState, around: VmSurroundings): VmStep {
  const isOff = state.powerState === 'poweredOff';
  return (
    planHardware(spec, state) ??
    planPciDevices(spec, state, isOff) ??
    planMetadata(spec, state, around) ??
    planPolicy(around, isOff) ??
    planMembership(state, around) ??
    planPower(state)
  );
}

function planHardware({ hardwareVersion = '' }: VmSpec, state: VmState): VmStep | undefined {
  if (hardwareVersion === '') return undefined;
  const [desired, current] = [versionNumber(hardwareVersion), versionNumber(state.hardwareVersion)];
  return current < desired ? { type: 'upgradeHardware', version: hardwareVersion } : undefined;
}

function versionNumber(version: string): number {
  return Number(/^vmx-(\d+)$/.exec(version)?.[1] ?? 0);
}

function planPciDevices(spec: VmSpec, state: VmState, isOff: boolean): VmStep | undefined {
  const changes = missingPciDevices(spec, state.devices);
  if (changes.length === 0) return undefined;
  return isOff ? { type: 'addPciDevices', changes } : { type: 'pciDevicesDetached' };
}

function planMetadata(spec: VmSpec, state: VmState, around: VmSurroundings): VmStep | undefined {
  const cards = networkCards(state.devices).map(({ macAddress = '' }) => macAddress);
  if (cards.length < spec.network.devices.length || cards.includes('')) return { type: 'waitForCards' };
  if (around.pools === undefined) return { type: 'waitForAddresses' };
  const text = renderMetadata(around.name, spec.network, cards, around.pools);
  return text === state.metadata ? undefined : { type: 'setMetadata', text };
}

function planPolicy({ policy }: VmSurroundings, isOff: boolean): VmStep | undefined {
  if (policy === undefined || policy.diskKeys.length === 0 || !isOff) return undefined;
  return { type: 'setStoragePolicy', ...policy };
}

function planMembership(state: VmState, { group, module }: VmSurroundings): VmStep | undefined {
  if (group !== undefined && !group.members.some(({ value }) => value === state.ref.value)) {
    return { type: 'joinGroup', group };
  }
  return module !== undefined && !module.member ? { type: 'joinModule', id: module.id } : undefined;
}

function planPower({ powerState }: VmState): VmStep {
  if (powerState === 'poweredOff') return { type: 'powerOn' };
  return powerState === 'poweredOn' ? { type: 'ready' } : { type: 'badPowerState', powerState };
}
