import { isUuid } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';

const prefix = 'vsphere://';

/**
 * Returns the provider ID of a VM. The UUID stays as vSphere writes it: the cloud provider in the guest must compute the same
 * string.
 */
export function providerIdOf(biosUuid: string): string {
  if (isUuid(biosUuid)) return `${prefix}${biosUuid}`;
  throw new ReconcileError('InvalidBIOSUUID', `invalid BIOS UUID ${JSON.stringify(biosUuid)}`, {
    retry: 'later',
  });
}

/** Returns the UUID of a provider ID, or undefined if it is not a vSphere provider ID. */
export function biosUuidOf(providerId: string): string | undefined {
  const text = providerId.toLowerCase().startsWith(prefix) ? providerId.slice(prefix.length) : '';
  return isUuid(text) ? text : undefined;
}
