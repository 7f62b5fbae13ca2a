import { createHash } from 'node:crypto';
import {
  keyAlgorithm,
  type PrivateKey,
  type PublicKey,
  publicKeyOf,
  publicKeyToDer,
  publicKeyToJwk,
} from '@slipway/pki';

type TokenAlgorithm = 'RS256' | 'ES256';

export interface VerificationKey {
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly key: PublicKey;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: PrivateKey;
}

export function toSigningKey(privateKey: PrivateKey): SigningKey {
  return { ...toVerificationKey(privateKey), privateKey };
}

export function toVerificationKey(key: PublicKey): VerificationKey {
  const algorithm = keyAlgorithm(key) === 'RSA' ? 'RS256' : 'ES256';
  if (algorithm === 'ES256' && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('service-account keys are RSA or P-256');
  return { id: keyId(key), algorithm, key: publicKeyOf(key) };
}

/** Derives the key id from the key, so that all servers of a cluster use the same id. */
function keyId(key: PublicKey): string {
  return createHash('sha256').update(publicKeyToDer(key)).digest('base64url');
}

/** The key that signs new tokens, and all keys whose tokens are accepted. */
export class ServiceAccountKeys {
  readonly #byId = new Map<string, VerificationKey>();

  constructor(
    readonly signing: SigningKey,
    older: readonly VerificationKey[] = [],
  ) {
    for (const key of [signing, ...older]) this.#byId.set(key.id, key);
  }

  find(id: string): VerificationKey | undefined {
    return this.#byId.get(id);
  }

  get all(): readonly VerificationKey[] {
    return [...this.#byId.values()];
  }
}

/** Returns the document /openid/v1/jwks, served as application/jwk-set+json. */
export function jsonWebKeySet(keys: ServiceAccountKeys): { keys: Record<string, string>[] } {
  return {
    keys: keys.all.map(({ id, algorithm, key }) => {
      const { kty, ...parts } = publicKeyToJwk(key);
      return { use: 'sig', kty, kid: id, alg: algorithm, ...parts };
    }),
  };
}

/** Returns the document /.well-known/openid-configuration. */
export function openIdConfiguration(
  issuer: string,
  jwksUri: string,
  keys: ServiceAccountKeys,
): Record<string, string | string[]> {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.all.map((key) => key.algorithm))].sort(),
  };
}
