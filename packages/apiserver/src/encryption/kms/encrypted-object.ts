import type { WrappedKey } from './kms-client.js';
import { encodeMessage, WireMessage } from './wire.js';

/** How the data key follows from the decrypted key source. */
export const sourceTypes = { key: 0, seed: 1 } as const;

/** The stored form of a value: kube-apiserver's EncryptedObject. */
export interface EncryptedObject extends WrappedKey {
  readonly data: Buffer;
  readonly sourceType: number;
}

const keyBytesMax = 1024;
const annotationBytesMax = 32 * 1024;

export function encodeObject(object: EncryptedObject): Buffer {
  const { data, keyId, ciphertext, annotations, sourceType } = object;
  return encodeMessage([
    [1, data],
    [2, keyId],
    [3, ciphertext],
    [4, annotations],
    [5, sourceType],
  ]);
}

/** Throws if the value is malformed. */
export function decodeObject(value: Buffer): EncryptedObject {
  const message = new WireMessage(value);
  const object = {
    data: message.bytes(1),
    keyId: message.text(2),
    ciphertext: message.bytes(3),
    annotations: message.map(4),
    sourceType: message.integer(5),
  };
  checkWrappedKey(object);
  if (object.data.length === 0) throw new Error('encrypted data is empty');
  if (object.sourceType !== sourceTypes.key && object.sourceType !== sourceTypes.seed)
    throw new Error(`unknown encryptedDEKSourceType: ${object.sourceType}`);
  return object;
}

/** Throws unless the sizes are within the limits of the KMS API. */
export function checkWrappedKey({ keyId, ciphertext, annotations }: WrappedKey): void {
  if (keyId === '' || Buffer.byteLength(keyId) > keyBytesMax)
    throw new Error(`the key ID must have 1 to ${keyBytesMax} bytes`);
  if (ciphertext.length === 0 || ciphertext.length > keyBytesMax)
    throw new Error(`the encrypted key must have 1 to ${keyBytesMax} bytes`);
  let size = 0;
  for (const [name, value] of annotations) {
    size += Buffer.byteLength(name) + value.length;
    if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(name))
      throw new Error(`annotation ${JSON.stringify(name)} is not a fully qualified domain name`);
  }
  if (size > annotationBytesMax) throw new Error(`the annotations have more than ${annotationBytesMax} bytes`);
}

/** Identifies a key source in the cache of decrypted keys. */
export function sourceIdOf({ keyId, ciphertext, annotations, sourceType }: EncryptedObject): string {
  return encodeMessage([
    [2, keyId],
    [3, ciphertext],
    [4, annotations],
    [5, sourceType],
  ]).toString('base64');
}
