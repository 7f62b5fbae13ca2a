import { type Data, isA, make } from '../../vim25/index.js';
import type { VmSpec } from './vm-spec.js';

type PciDevice = NonNullable<VmSpec['pciDevices']>[number];

const firstPciKey = -300;

/** The devices of the spec that the VM does not have. */
export function missingPciDevices(
  { pciDevices = [] }: VmSpec,
  devices: readonly Data<'VirtualDevice'>[],
): Data<'VirtualDeviceConfigSpec'>[] {
  const attached = devices.filter((device) => isA(device, 'VirtualPCIPassthrough')).map(({ backing }) => backing);
  return pciDevices.flatMap((wanted, index) => {
    const place = attached.findIndex((backing) => isBackedBy(backing, wanted));
    if (place >= 0) {
      attached.splice(place, 1);
      return [];
    }
    const device = make('VirtualPCIPassthrough', { key: firstPciKey - index, backing: backingFor(wanted) });
    return [{ operation: 'add', device }];
  });
}

function isBackedBy(backing: Data<'VirtualDeviceBackingInfo'> | undefined, wanted: PciDevice): boolean {
  if (isA(backing, 'VirtualPCIPassthroughVmiopBackingInfo')) return backing.vgpu === wanted.vGPUProfile;
  if (!isA(backing, 'VirtualPCIPassthroughDynamicBackingInfo')) return false;
  const same = (backing.allowedDevice ?? []).some(
    ({ vendorId, deviceId }) => vendorId === wanted.vendorId && deviceId === wanted.deviceId,
  );
  return same && (backing.customLabel ?? '') === (wanted.customLabel ?? '');
}

function backingFor({ vGPUProfile, vendorId, deviceId, customLabel }: PciDevice): Data<'VirtualDeviceBackingInfo'> {
  if (vGPUProfile !== undefined) return make('VirtualPCIPassthroughVmiopBackingInfo', { vgpu: vGPUProfile });
  return make('VirtualPCIPassthroughDynamicBackingInfo', {
    deviceName: '',
    allowedDevice: [{ vendorId: vendorId ?? 0, deviceId: deviceId ?? 0 }],
    ...(customLabel === undefined ? {} : { customLabel }),
  });
}
