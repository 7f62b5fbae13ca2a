import { createPrivateKey, createPublicKey, generateKeyPair, getFips, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { createRsaKey } from './rsa-key.js';

export type KeyAlgorithm = 'ECDSA' | 'RSA';
export type PrivateKey = KeyObject;
export type PublicKey = KeyObject;

/** A public key as RFC 7517 writes it; only the members of EC and RSA keys. */
export interface PublicJwk {
  readonly kty: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

const generate = promisify(generateKeyPair);

/** A new key from the operating system's randomness. One for RSA keeps this thread busy for about 25 ms. */
export function generatePrivateKey(algorithm: KeyAlgorithm): Promise<PrivateKey> {
  return generatePrivateKeyOf(algorithm === 'RSA' ? 'RSA-2048' : 'ECDSA-P256');
}

/** Keys by the names that kubeadm gives them. */
export type KeyStrength = 'ECDSA-P256' | 'ECDSA-P384' | 'RSA-2048' | 'RSA-3072' | 'RSA-4096';

/** Like `generatePrivateKey`, for those who choose the size as well. */
export async function generatePrivateKeyOf(strength: KeyStrength): Promise<PrivateKey> {
  const [, family, size = ''] = /^(RSA|ECDSA)-(.+)$/.exec(strength) ?? [];
  // Whoever runs Node in FIPS mode wants the validated generator, however long it takes.
  if (strength === 'RSA-2048' && getFips() === 0) return createRsaKey(2048);
  // Larger ones are rare, and take so long that they belong on the thread pool.
  if (family === 'RSA') return (await generate('rsa', { modulusLength: Number(size) })).privateKey;
  const pair = await generate('ec', { namedCurve: size === 'P384' ? 'P-384' : 'P-256' });
  return pair.privateKey;
}

export function keyAlgorithm(key: KeyObject): KeyAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'RSA';
  if (key.asymmetricKeyType === 'ec') return 'ECDSA';
  throw new TypeError(`unsupported key type ${key.asymmetricKeyType ?? key.type}`);
}

/** `traditional` gives `EC PRIVATE KEY` and `RSA PRIVATE KEY`, which kubeadm and Cluster API write. */
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
    // The parser's own text may quote its input.
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

/** The hash follows the curve, as TLS peers expect; SHA-256 for everything else. */
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
