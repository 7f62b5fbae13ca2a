import { createPrivateKey, createPublicKey, generateKeyPair, getFips, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { createRsaKey } from './rsa-key.js';

export type KeyAlgorithm = 'ECDSA' | 'RSA';
export type PrivateKey = KeyObject;
export type PublicKey = KeyObject;

/** A public key as a JSON Web Key (RFC 7517), with the members of EC and RSA keys only. */
export interface PublicJwk {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

const generate = promisify(generateKeyPair);

/** Generates a key with the operating system's randomness. An RSA key blocks the thread for about 25 ms. */
export function generatePrivateKey(algorithm: KeyAlgorithm): Promise<PrivateKey> {
  return generatePrivateKeyOf(algorithm === 'RSA' ? 'RSA-2048' : 'ECDSA-P256');
}

/** Key algorithms and sizes, by kubeadm's names. */
export type KeyStrength = 'ECDSA-P256' | 'ECDSA-P384' | 'RSA-2048' | 'RSA-3072' | 'RSA-4096';

/** Generates a key of the given algorithm and size. */
export async function generatePrivateKeyOf(strength: KeyStrength): Promise<PrivateKey> {
  const [, family, size = ''] = /^(RSA|ECDSA)-(.+)$/.exec(strength) ?? [];
  // In FIPS mode only the validated generator may be used, however long it takes.
  if (strength === 'RSA-2048' && getFips() === 0) return createRsaKey(2048);
  // Larger keys are rare and take so long that they are generated on the thread pool.
  if (family === 'RSA') return (await generate('rsa', { modulusLength: Number(size) })).privateKey;
  const pair = await generate('ec', { namedCurve: size === 'P384' ? 'P-384' : 'P-256' });
  return pair.privateKey;
}

export function keyAlgorithm(key: KeyObject): KeyAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'RSA';
  if (key.asymmetricKeyType === 'ec') return 'ECDSA';
  throw new TypeError(`unsupported key type ${key.asymmetricKeyType ?? key.type}`);
}

/**
 * Encodes the key as PEM. The `traditional` form is `EC PRIVATE KEY` or `RSA PRIVATE KEY`, as kubeadm and Cluster API write it.
 */
export function privateKeyToPem(key: PrivateKey, form: 'pkcs8' | 'traditional' = 'pkcs8'): string {
  const type = form === 'pkcs8' ? 'pkcs8' : keyAlgorithm(key) === 'RSA' ? 'pkcs1' : 'sec1';
  return key.export({ type, format: 'pem' }).toString();
}

export function privateKeyFromPem(pem: string): PrivateKey {
  try {
    const key = createPrivateKey(pem);
    keyAlgorithm(key);
    return key;
  } catch {
    // Drop the parser's error: its message may quote the key.
    throw new TypeError('not a PEM-encoded EC or RSA private key');
  }
}

export function publicKeyToPem(key: KeyObject): string {
  return publicKeyOf(key).export({ type: 'spki', format: 'pem' }).toString();
}

export function publicKeyFromPem(pem: string): PublicKey {
  return createPublicKey(pem);
}

export function publicKeyToJwk(key: KeyObject): PublicJwk {
  const jwk = publicKeyOf(key).export({ format: 'jwk' });
  if (jwk.kty === undefined) throw new TypeError('key has no JWK form');
  return jwk.kty === 'RSA' ? { kty: jwk.kty, n: jwk.n, e: jwk.e } : { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y };
}

export function publicKeyOf(key: KeyObject): PublicKey {
  return key.type === 'private' ? createPublicKey(key) : key;
}

export function publicKeyToDer(key: KeyObject): Buffer {
  return publicKeyOf(key).export({ type: 'spki', format: 'der' });
}

export interface SigningAlgorithm {
  readonly name: string;
  readonly hash: string;
  readonly namedCurve?: string;
}

/**
 * Returns the signing algorithm for the key. For EC keys, the hash matches the curve, as TLS peers expect; for other keys it is
 * SHA-256.
 */
export function signingAlgorithm(key: KeyObject): SigningAlgorithm {
  if (keyAlgorithm(key) === 'RSA') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  switch (key.asymmetricKeyDetails?.namedCurve) {
    case 'prime256v1':
      return { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    case 'secp384r1':
      return { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' };
    case 'secp521r1':
      return { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' };
    default:
      throw new TypeError(`unsupported curve ${key.asymmetricKeyDetails?.namedCurve ?? 'unknown'}`);
  }
}
