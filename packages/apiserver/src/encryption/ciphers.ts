import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** Encrypts and decrypts values with one key. `context` is authenticated where the cipher supports it. */
export interface Cipher {
  encrypt(plain: Buffer, context: Buffer): Buffer;
  /** Throws if the key is wrong or the value was changed. */
  decrypt(value: Buffer, context: Buffer): Buffer;
}

export const cipherKinds = ['aescbc', 'aesgcm', 'secretbox'] as const;
export type CipherKind = (typeof cipherKinds)[number];

/** Key lengths in bytes that each cipher accepts. */
export const keyLengths: Readonly<Record<CipherKind, readonly number[]>> = {
  aescbc: [16, 24, 32],
  aesgcm: [16, 24, 32],
  secretbox: [32],
};

export function createCipher(kind: CipherKind, key: Buffer): Cipher {
  if (kind === 'aescbc') return aesCbc(key);
  return kind === 'aesgcm' ? aesGcm(key) : secretBox(key);
}

const blockLength = 16;

/** Value: IV of 16 bytes, then AES in CBC mode with PKCS #7 padding. It is not authenticated. */
function aesCbc(key: Buffer): Cipher {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    encrypt(plain) {
      const iv = randomBytes(blockLength);
      const cipher = createCipheriv(algorithm, key, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    },
    decrypt(value) {
      if (value.length < 2 * blockLength) throw new Error('the stored data was shorter than the required size');
      const decipher = createDecipheriv(algorithm, key, value.subarray(0, blockLength));
      return Buffer.concat([decipher.update(value.subarray(blockLength)), decipher.final()]);
    },
  };
}

const gcmNonceLength = 12;
const tagLength = 16;

/** Value: nonce of 12 bytes, AES in GCM mode, tag of 16 bytes. The context is authenticated. */
function aesGcm(key: Buffer): Cipher {
  const algorithm = `aes-${key.length * 8}-gcm` as 'aes-256-gcm';
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(gcmNonceLength);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(context);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(value, context) {
      const tagStart = value.length - tagLength;
      if (tagStart < gcmNonceLength) throw new Error('the stored data was shorter than the required size');
      const nonce = value.subarray(0, gcmNonceLength);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(context);
      decipher.setAuthTag(value.subarray(tagStart));
      return Buffer.concat([decipher.update(value.subarray(gcmNonceLength, tagStart)), decipher.final()]);
    },
  };
}

const boxNonceLength = 24;

/** Value: nonce of 24 bytes, then the tag and XSalsa20, as NaCl's secretbox. */
function secretBox(key: Buffer): Cipher {
  return {
    encrypt(plain) {
      const nonce = randomBytes(boxNonceLength);
      return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(plain)]);
    },
    decrypt(value) {
      const nonce = value.subarray(0, boxNonceLength);
      return Buffer.from(xsalsa20poly1305(key, nonce).decrypt(value.subarray(boxNonceLength)));
    },
  };
}
