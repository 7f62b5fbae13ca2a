import { crc32 } from 'node:zlib';

/**
 * Format of a value on disk: `tag u8 | crc32 of key and value u32 | value`. The checksum includes the key, so that a value in the
 * wrong place is detected.
 */
const tag = 0xc3;
const headerLength = 5;

export class ChecksumMismatch extends Error {}

export function sealValue(key: Buffer, value: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(headerLength + value.length);
  sealed.writeUInt8(tag, 0);
  sealed.writeUInt32BE(crc32(value, crc32(key)), 1);
  value.copy(sealed, headerLength);
  return sealed;
}

/** Returns a view of the value. Throws if the checksum does not match. */
export function openValue(key: Buffer, sealed: Buffer): Buffer {
  const value = sealed.subarray(headerLength);
  const isValid =
    sealed.length >= headerLength && sealed[0] === tag && sealed.readUInt32BE(1) === crc32(value, crc32(key));
  if (!isValid) throw new ChecksumMismatch(`the checksum of a record does not match: ${nameOf(key)}`);
  return value;
}

function nameOf(key: Buffer): string {
  return JSON.stringify(key.toString('latin1').replaceAll('\0', ' ').trim().slice(0, 200));
}
