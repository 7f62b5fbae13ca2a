import { type Data, isA, make, type ObjectRef } from '../../vim25/index.js';
import { networkCards } from '../guest/network-status.js';
import type { NetworkDevice, VmSpec } from './vm-spec.js';

type DeviceChange = Data<'VirtualDeviceConfigSpec'>;
type Disk = Data<'VirtualDisk'>;

const kibPerGib = 1024n * 1024n;
const firstCardKey = -100;
const firstDiskKey = -200;
const unitsMax = 30;

export function disksOf(devices: readonly Data<'VirtualDevice'>[]): readonly Disk[] {
  return devices.filter((device) => isA(device, 'VirtualDisk'));
}

/** Removes all network cards of the template, and adds one for each device of the spec in the same order. */
export function cardChanges(
  template: readonly Data<'VirtualDevice'>[],
  devices: readonly NetworkDevice[],
  backings: readonly Data<'VirtualDeviceBackingInfo'>[],
): DeviceChange[] {
  const removed = networkCards(template).map((card): DeviceChange => ({ operation: 'remove', device: reduced(card) }));
  const added = devices.map((device, index): DeviceChange => {
    const { macAddr = '' } = device;
    const card = make('VirtualVmxnet3', {
      key: firstCardKey - index,
      backing: backings[index],
      ...(macAddr === '' ? {} : { addressType: 'manual', macAddress: macAddr }),
    });
    return { operation: 'add', device: card };
  });
  return [...removed, ...added];
}

/** Keeps only the properties of a network card that are needed to remove it: vCenter identifies a device by its key. */
function reduced(card: Data<'VirtualEthernetCard'>): Data<'VirtualDevice'> {
  const { _type, key, backing, controllerKey, unitNumber } = card;
  return { _type, key, backing: isKnownBacking(backing) ? backing : undefined, controllerKey, unitNumber };
}

function isKnownBacking(backing: Data<'VirtualDeviceBackingInfo'> | undefined): boolean {
  return (
    isA(backing, 'VirtualEthernetCardNetworkBackingInfo') ||
    isA(backing, 'VirtualEthernetCardDistributedVirtualPortBackingInfo') ||
    isA(backing, 'VirtualEthernetCardOpaqueNetworkBackingInfo')
  );
}

/** Grows disks of the template. Linked clones share their disks with the template, so they keep their size. */
export function diskChanges(disks: readonly Disk[], spec: VmSpec): DeviceChange[] {
  const sizes = [spec.diskGiB ?? 0, ...(spec.additionalDisksGiB ?? [])];
  return disks.flatMap((disk, index): DeviceChange[] => {
    const desired = BigInt(sizes[index] ?? 0) * kibPerGib;
    if (desired === 0n || desired === disk.capacityInKB) return [];
    if (desired < disk.capacityInKB) {
      throw new Error(
        `can't resize template disk down, initial capacity is larger: ${disk.capacityInKB}KiB > ${desired}KiB; request a larger disk, or use a template with a smaller disk ${index}`,
      );
    }
    const { _type, key, backing, controllerKey, unitNumber } = disk;
    const grown = { _type, key, backing, controllerKey, unitNumber, capacityInKB: desired };
    return [{ operation: 'edit', device: grown }];
  });
}

/** Adds data disks on the controller of the first disk. */
export function dataDiskChanges(template: readonly Data<'VirtualDevice'>[], spec: VmSpec): DeviceChange[] {
  const desired = spec.dataDisks ?? [];
  const [first] = disksOf(template);
  if (desired.length === 0 || first?.controllerKey === undefined) return [];
  const units = freeUnits(template, first.controllerKey);
  return desired.map(({ name, sizeGiB, provisioningMode }, index) => {
    const unitNumber = units[index];
    if (unitNumber === undefined)
      throw new Error(`no free unit for data disk ${name} on the controller of the first disk`);
    const disk = make('VirtualDisk', {
      key: firstDiskKey - index,
      controllerKey: first.controllerKey,
      unitNumber,
      capacityInKB: BigInt(sizeGiB) * kibPerGib,
      backing: make('VirtualDiskFlatVer2BackingInfo', {
        fileName: '',
        diskMode: 'persistent',
        ...provisioning(provisioningMode),
      }),
    });
    return { operation: 'add', fileOperation: 'create', device: disk };
  });
}

function provisioning(mode: string | undefined): {
  readonly thinProvisioned?: boolean;
  readonly eagerlyScrub?: boolean;
} {
  if (mode === 'Thin') return { thinProvisioned: true };
  if (mode === 'Thick') return { thinProvisioned: false };
  return mode === 'EagerlyZeroed' ? { thinProvisioned: false, eagerlyScrub: true } : {};
}

function freeUnits(devices: readonly Data<'VirtualDevice'>[], controllerKey: number): number[] {
  const used = new Set(
    devices.flatMap((device) =>
      device.controllerKey === controllerKey && device.unitNumber !== undefined ? [device.unitNumber] : [],
    ),
  );
  const controller = devices.find(({ key }) => key === controllerKey);
  // A SCSI controller occupies one unit number of its own bus.
  if (isA(controller, 'VirtualSCSIController')) used.add(controller.scsiCtlrUnitNumber ?? 7);
  return Array.from({ length: unitsMax }, (_, unit) => unit).filter((unit) => !used.has(unit));
}

export function diskLocators(
  disks: readonly Disk[],
  datastore: ObjectRef,
  diskMoveType: string,
): Data<'VirtualMachineRelocateSpecDiskLocator'>[] {
  return disks.map(({ key, backing }) => ({
    diskId: key,
    datastore,
    diskMoveType,
    ...(isA(backing, 'VirtualDiskFlatVer2BackingInfo') ? { diskBackingInfo: backing } : {}),
  }));
}
