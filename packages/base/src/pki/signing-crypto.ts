import { createHash, type KeyObject, sign, type webcrypto } from 'node:crypto';
import { type PrivateKey, publicKeyToDer, type SigningAlgorithm, signingAlgorithm } from './keys.js';

/** What the certificate library takes for a WebCrypto key: it reads the algorithm and hands the rest back to us. */
interface KeyHandle {
  readonly algorithm: SigningAlgorithm;
  readonly key: KeyObject;
}

/** Both sides of a key in the form in which the certificate library wants them. */
export function keyPairHandle(key: PrivateKey): webcrypto.CryptoKeyPair {
  const handle: KeyHandle = { algorithm: signingAlgorithm(key), key };
  const either = handle as unknown as webcrypto.CryptoKey;
  return { privateKey: either, publicKey: either };
}

/**
 * The part of WebCrypto that signs certificates, at once instead of on the thread pool: a signature takes less than a
 * millisecond, the import of a key and the wait behind others' key generation take more, and the order in which threads
 * finish would make simulations unrepeatable.
 */
export const signingCrypto = {
  subtle: {
    sign: async (_algorithm: unknown, { algorithm, key }: KeyHandle, data: ArrayBuffer): Promise<ArrayBuffer> =>
      exact(sign(nodeHash(algorithm.hash), Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' })),
    digest: async (algorithm: string, data: ArrayBuffer): Promise<ArrayBuffer> =>
      exact(createHash(nodeHash(algorithm)).update(Buffer.from(data)).digest()),
    exportKey: async (_format: 'spki', { key }: KeyHandle): Promise<ArrayBuffer> => exact(publicKeyToDer(key)),
  },
} as unknown as webcrypto.Crypto;

function nodeHash(name: string): string {
  return name.replace('-', '').toLowerCase();
}

/** Small buffers share their memory with others; the library reads all of what it is given. */
function exact(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
