import { type FieldError, forbiddenField, invalidField, isCidr } from '@slipway/kube';
import type { VSphereMachine } from '../api/index.js';

type MachineSpec = VSphereMachine['spec'];

/** Rejects static addresses without a prefix length. */
export function validateAddresses(path: string, network: Pick<MachineSpec['network'], 'devices'>): FieldError[] {
  return network.devices.flatMap(({ ipAddrs = [] }, device) =>
    ipAddrs.flatMap((address, index) =>
      isCidr(address)
        ? []
        : [
            invalidField(
              `${path}.devices[${device}].ipAddrs[${index}]`,
              address,
              'ip addresses should be in the CIDR format',
            ),
          ],
    ),
  );
}

export function validatePowerOff(
  path: string,
  spec: Pick<MachineSpec, 'powerOffMode' | 'guestSoftPowerOffTimeoutSeconds'>,
): FieldError[] {
  const seconds = spec.guestSoftPowerOffTimeoutSeconds;
  if (seconds === undefined || spec.powerOffMode === 'trySoft') return [];
  return [
    invalidField(
      `${path}.guestSoftPowerOffTimeoutSeconds`,
      seconds,
      'should not be set unless the powerOffMode is trySoft',
    ),
  ];
}

/** Rejects PCI devices that do not have either deviceId and vendorId, or vGPUProfile. */
export function validatePciDevices(path: string, devices: MachineSpec['pciDevices'] = []): FieldError[] {
  return devices.flatMap(({ deviceId, vendorId, vGPUProfile }, index) => {
    const field = `${path}[${index}]`;
    const identified = deviceId !== undefined && vendorId !== undefined;
    const partly = deviceId !== undefined || vendorId !== undefined;
    if (vGPUProfile !== undefined && partly)
      return [forbiddenField(field, 'vGPUProfile cannot be set together with deviceId and vendorId')];
    if (vGPUProfile !== undefined || identified) return [];
    return [invalidField(field, devices[index], 'either deviceId and vendorId or vGPUProfile must be set')];
  });
}
