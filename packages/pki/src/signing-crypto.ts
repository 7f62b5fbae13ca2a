import { createHash, type KeyObject, sign, type webcrypto } from 'node:crypto';
import { type PrivateKey, publicKeyToDer, type SigningAlgorithm, signingAlgorithm } from './keys.js';

/**
 * A key that is used instead of a WebCrypto key. The certificate library only reads its algorithm and passes it back to
 * `signingCrypto`.
 */
interface KeyHandle {
  readonly algorithm: SigningAlgorithm;
  readonly key: KeyObject;
}

/** Returns a private key and its public key in the form that the certificate library expects. */
export function keyPairHandle(key: PrivateKey): webcrypto.CryptoKeyPair {
  const handle: KeyHandle = { algorithm: signingAlgorithm(key), key };
  const either = handle as unknown as webcrypto.CryptoKey;
  return { privateKey: either, publicKey: either };
}

/**
 * The part of WebCrypto that signs certificates, computed on the calling thread instead of the thread pool. A signature takes
 * less than a millisecond; importing a key into WebCrypto and waiting for key generation on the thread pool take longer. The
 * order in which threads finish would also make simulations unrepeatable.
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

/** Copies the bytes into a separate ArrayBuffer. Small Buffers share one, and the library would read all of it. */
function exact(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
