import type { Data } from '../../vim25/index.js';

/** Format of the bootstrap data. */
export type BootstrapFormat = 'cloud-config' | 'ignition';

const keys: Readonly<Record<BootstrapFormat, string>> = {
  'cloud-config': 'guestinfo.userdata',
  ignition: 'guestinfo.ignition.config.data',
};
export const metadataKey = 'guestinfo.metadata';

/** Returns the extraConfig keys from which the guest reads its bootstrap data. */
export function userDataOptions(data: Buffer, format: BootstrapFormat): Data<'OptionValue'>[] {
  return encodedOptions(keys[format], data);
}

export function metadataOptions(text: string): Data<'OptionValue'>[] {
  return encodedOptions(metadataKey, Buffer.from(text));
}

function encodedOptions(key: string, data: Buffer): Data<'OptionValue'>[] {
  return [
    { key, value: encodeOnce(data) },
    { key: `${key}.encoding`, value: 'base64' },
  ];
}

/** Encodes data in base64 exactly once: data that was already encoded, even repeatedly, is decoded first. */
export function encodeOnce(data: Buffer): string {
  return decodeAll(data).toString('base64');
}

function decodeAll(data: Buffer): Buffer {
  let current = data;
  for (let next = decodeBase64(current); next !== undefined; next = decodeBase64(current)) current = next;
  return current;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodeBase64(data: Buffer): Buffer | undefined {
  const text = data.toString('latin1').replaceAll(/[\r\n]/g, '');
  return text === '' || !base64.test(text) ? undefined : Buffer.from(text, 'base64');
}

/** Returns the decoded extraConfig value of a key. Empty if the key is not set. */
export function decodeOption(options: readonly Data<'OptionValue'>[], key: string): string {
  const value = options.find((option) => option.key === key)?.value;
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';
}
