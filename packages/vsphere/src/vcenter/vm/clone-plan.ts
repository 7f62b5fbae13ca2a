import { parseQuantity, quantityMilliValue, quantityValue } from '@slipway/kube';
import { type Data, make, type ObjectRef } from '../../vim25/index.js';
import { type BootstrapFormat, userDataOptions } from '../guest/user-data.js';
import { cardChanges, dataDiskChanges, diskChanges, diskLocators, disksOf } from './clone-devices.js';
import type { VmSpec } from './vm-spec.js';

/** The inventory objects that a clone refers to. */
export interface ClonePlacement {
  readonly template: ObjectRef;
  readonly templateDevices: readonly Data<'VirtualDevice'>[];
  /** Snapshot of a linked clone. Undefined for a full clone. */
  readonly snapshot?: ObjectRef;
  readonly folder: ObjectRef;
  readonly pool: ObjectRef;
  readonly datastore: ObjectRef;
  /** Network backings, one for each device of the spec. */
  readonly backings: readonly Data<'VirtualDeviceBackingInfo'>[];
  readonly cryptoProfileId?: string;
  readonly cryptoKey?: Data<'CryptoKeyId'>;
}

export interface CloneRequest {
  readonly spec: VmSpec;
  /** UID of the VSphereVM. It becomes the instance UUID of the VM, by which the VM is found after a crash. */
  readonly uid: string;
  readonly bootstrap: { readonly data: Buffer; readonly format: BootstrapFormat };
}

export interface ClonePlan {
  readonly mode: 'linkedClone' | 'fullClone';
  readonly clone: Data<'VirtualMachineCloneSpec'>;
}

const cpusMin = 2;
const memoryMibDefault = 2048;

/** Returns the CloneSpec for vCenter. */
export function planClone({ spec, uid, bootstrap }: CloneRequest, placement: ClonePlacement): ClonePlan {
  const { templateDevices, snapshot, folder, pool, datastore } = placement;
  const disks = disksOf(templateDevices);
  if (disks.length === 0) throw new Error(`template ${spec.template} has no disk`);
  const linked = snapshot !== undefined;
  const config: Data<'VirtualMachineConfigSpec'> = {
    ...hardware(spec),
    ...encryption(placement, spec),
    instanceUuid: uid,
    flags: { diskUuidEnabled: true },
    // Otherwise cloud-init may use the OVF environment of the template as its data source.
    vAppConfigRemoved: true,
    extraConfig: [
      ...userDataOptions(bootstrap.data, bootstrap.format),
      ...Object.entries(spec.customVMXKeys ?? {}).map(([key, value]) => ({ key, value })),
    ],
    deviceChange: [
      ...(linked ? [] : diskChanges(disks, spec)),
      ...dataDiskChanges(templateDevices, spec),
      ...cardChanges(templateDevices, spec.network.devices, placement.backings),
    ],
  };
  // diskMoveType is set for the VM and for each disk: with one of them alone, a linked clone becomes a full copy.
  const diskMoveType = linked ? 'createNewChildDiskBacking' : 'moveAllDiskBackingsAndDisallowSharing';
  const location: Data<'VirtualMachineRelocateSpec'> = {
    folder,
    pool,
    datastore,
    diskMoveType: linked ? diskMoveType : 'moveAllDiskBackingsAndConsolidate',
    disk: diskLocators(disks, datastore, diskMoveType),
  };
  const clone = { location, template: false, config, powerOn: false, ...(linked ? { snapshot } : {}) };
  return { mode: linked ? 'linkedClone' : 'fullClone', clone };
}

/** Returns the hardware settings. Memory defaults to 2 GiB and CPUs are at least 2, whatever the template has. */
function hardware(spec: VmSpec): Data<'VirtualMachineConfigSpec'> {
  const { numCPUs = 0, memoryMiB = 0 } = spec;
  return {
    numCPUs: Math.max(numCPUs, cpusMin),
    numCoresPerSocket: spec.numCoresPerSocket,
    memoryMB: BigInt(memoryMiB === 0 ? memoryMibDefault : memoryMiB),
    cpuAllocation: allocation(spec, 'cpu', megahertz),
    memoryAllocation: allocation(spec, 'memory', mebibytes),
    ...((spec.pciDevices ?? []).length > 0 ? { memoryReservationLockedToMax: true } : {}),
    nestedHVEnabled: spec.nestedHV,
    ftEncryptionMode: spec.ftEncryptionMode,
    migrateEncryption: spec.migrateEncryption,
  };
}

function allocation(
  { resources }: VmSpec,
  which: 'cpu' | 'memory',
  convert: (quantity: string) => bigint,
): Data<'ResourceAllocationInfo'> | undefined {
  const [request, limit, shares] = [
    resources?.requests?.[which],
    resources?.limits?.[which],
    resources?.shares?.[which],
  ];
  if (request === undefined && limit === undefined && shares === undefined) return undefined;
  return {
    ...(request === undefined ? {} : { reservation: convert(String(request)) }),
    ...(limit === undefined ? {} : { limit: convert(String(limit)) }),
    ...(shares === undefined ? {} : { shares: { shares, level: 'custom' } }),
  };
}

/** Converts a CPU quantity in Hz to MHz: 2G is 2000 MHz. */
function megahertz(quantity: string): bigint {
  return divideUp(quantityMilliValue(parseQuantity(quantity)), 1_000_000_000n);
}

function mebibytes(quantity: string): bigint {
  return divideUp(quantityValue(parseQuantity(quantity)), 1024n * 1024n);
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function encryption({ cryptoProfileId, cryptoKey }: ClonePlacement, spec: VmSpec): Data<'VirtualMachineConfigSpec'> {
  return {
    ...(cryptoProfileId === undefined || spec.cryptoProfile === undefined
      ? {}
      : { vmProfile: [make('VirtualMachineDefinedProfileSpec', { profileId: cryptoProfileId })] }),
    ...(cryptoKey === undefined ? {} : { crypto: make('CryptoSpecEncrypt', { cryptoKeyId: cryptoKey }) }),
  };
}
