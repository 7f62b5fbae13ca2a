import { type Data, isA, make } from '../../vim25/index.js';
import type { VmSpec } from './vm-spec.js';

type PciDevice = NonNullable<VmSpec['pciDevices']>[number];

const firstPciKey = -300;

/** Returns the devices of the spec that the VM does not have. */
export function missingPciDevices(
  { pciDevices = [] }: VmSpec,
  devices: readonly Data<'VirtualDevice'>[],
): Data<'VirtualDeviceConfigSpec'>[] {
  const attached = devices.filter((device) => isA(device, 'VirtualPCIPassthrough')).map(({ backing }) => backing);
  return pciDevices.flatMap((desired, index) => {
    const place = attached.findIndex((backing) => isBackedBy(backing, desired));
    if (place >= 0) {
      attached.splice(place, 1);
      return [];
    }
    const device = make('VirtualPCIPassthrough', { key: firstPciKey - index, backing: backingFor(desired) });
    return [{ operation: 'add', device }];
  });
}

function isBackedBy(backing: Data<'VirtualDeviceBackingInfo'> | undefined, desired: PciDevice): boolean {
  if (isA(backing, 'VirtualPCIPassthroughVmiopBackingInfo')) return backing.vgpu === desired.vGPUProfile;
  if (!isA(backing, 'VirtualPCIPassthroughDynamicBackingInfo')) return false;
  const same = (backing.allowedDevice ?? []).some(
    ({ vendorId, deviceId }) => vendorId === desired.vendorId && deviceId === desired.deviceId,
  );
  return same && (backing.customLabel ?? '') === (desired.customLabel ?? '');
}

function backingFor({ vGPUProfile, vendorId, deviceId, customLabel }: PciDevice): Data<'VirtualDeviceBackingInfo'> {
  if (vGPUProfile !== undefined) return make('VirtualPCIPassthroughVmiopBackingInfo', { vgpu: vGPUProfile });
  return make('VirtualPCIPassthroughDynamicBackingInfo', {
    deviceName: '',
    allowedDevice: [{ vendorId: vendorId ?? 0, deviceId: deviceId ?? 0 }],
    ...(customLabel === undefined ? {} : { customLabel }),
  });
}
