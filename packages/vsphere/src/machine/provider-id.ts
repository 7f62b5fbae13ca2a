import { isUuid } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';

const prefix = 'vsphere://';

/** Exactly as vSphere writes the UUID: the cloud provider in the guest must arrive at the same text. */
export function providerIdOf(biosUuid: string): string {
  if (isUuid(biosUuid)) return `${prefix}${biosUuid}`;
  throw new ReconcileError('InvalidBIOSUUID', `the BIOS UUID ${JSON.stringify(biosUuid)} is none`, {
    retry: 'later',
  });
}

/** The other way; undefined for what is not an ID of vSphere. */
export function biosUuidOf(providerId: string): string | undefined {
  const text = providerId.toLowerCase().startsWith(prefix) ? providerId.slice(prefix.length) : '';
  return isUuid(text) ? text : undefined;
}
