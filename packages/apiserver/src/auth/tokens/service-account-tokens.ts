import type { Clock } from '@slipway/base';
import { createHash } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import type { Store } from '../../storage/index.js';
import { textAt } from '../fields.js';
import { quoteGo, quoteGoList } from '../go-format.js';
import {
  decodeClaims,
  encodeClaims,
  type ObjectRef,
  type ServiceAccountClaims,
  userOfClaims,
} from './service-account-claims.js';
import type { ServiceAccountKeys, VerificationKey } from './service-account-keys.js';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused } from './token-authenticator.js';

export interface ServiceAccountTokenOptions {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Clock;
  readonly keys: ServiceAccountKeys;
  readonly issuer: string;
  /** Audiences of this server; a token without audiences is for these. */
  readonly audiences: readonly string[];
  readonly cacheSize?: number;
}

export function signToken(keys: ServiceAccountKeys, claims: ServiceAccountClaims): Promise<string> {
  const { id, algorithm, privateKey } = keys.signing;
  const payload = new TextEncoder().encode(encodeClaims(claims));
  return new CompactSign(payload).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
}

/** Clocks of the servers of one cluster may differ by this much. */
const leewaySeconds = 60;
const verifiedForMs = 600_000;

interface Verified {
  readonly claims: ServiceAccountClaims;
  readonly until: number;
}

/**
 * Service-account tokens. The signature of a token is checked once and remembered for a while, by hash; everything that can
 * change (time, the account, what the token is bound to) is looked up on every request, so that a token dies at once.
 */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenOptions;
  readonly #verified = new Map<string, Verified>();

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  async authenticate(token: string, audiences?: readonly string[]): Promise<TokenIdentity | undefined> {
    if (issuerOf(token) !== this.#options.issuer) return undefined;
    const claims = await this.#claimsOf(token);
    const accepted = this.#checkAudiences(claims, audiences ?? this.#options.audiences);
    this.#checkTime(claims);
    this.#checkObjects(claims);
    return { user: userOfClaims(claims), audiences: accepted };
  }

  async #claimsOf(token: string): Promise<ServiceAccountClaims> {
    const key = createHash('sha256').update(token).digest('base64');
    const now = this.#options.clock.monotonic();
    const known = this.#verified.get(key);
    if (known !== undefined && known.until > now) return known.claims;
    const claims = await this.#verify(token);
    this.#verified.delete(key);
    if (this.#verified.size >= (this.#options.cacheSize ?? 4096)) {
      const oldest = this.#verified.keys().next().value;
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(key, { claims, until: now + verifiedForMs });
    return claims;
  }

  async #verify(token: string): Promise<ServiceAccountClaims> {
    const id = keyIdOf(token);
    const { keys, issuer } = this.#options;
    const candidates = id === '' ? keys.all : keys.all.filter((key) => key.id === id);
    if (candidates.length === 0) throw new TokenRefused('invalid signature, no keys found');
    for (const candidate of candidates) {
      const payload = await verifySignature(token, candidate);
      const claims = payload === undefined ? undefined : decodeClaims(parseJson(payload));
      if (claims !== undefined && claims.iss === issuer) return claims;
    }
    throw new TokenRefused('go-jose/go-jose: error in cryptographic primitive');
  }

  #checkAudiences(claims: ServiceAccountClaims, wanted: readonly string[]): readonly string[] {
    const own = claims.aud.length > 0 ? claims.aud : this.#options.audiences;
    const both = own.filter((audience) => wanted.includes(audience));
    if (both.length > 0) return both;
    throw new TokenRefused(
      `token audiences ${quoteGoList(own)} is invalid for the target audiences ${quoteGoList(wanted)}`,
    );
  }

  #checkTime(claims: ServiceAccountClaims): void {
    const now = this.#options.clock.now() / 1000;
    if (claims.nbf !== undefined && now + leewaySeconds < claims.nbf)
      throw new TokenRefused('service account token is not valid yet');
    if (claims.exp !== undefined && now - leewaySeconds > claims.exp)
      throw new TokenRefused('service account token has expired');
    if (claims.iat !== undefined && now + leewaySeconds < claims.iat)
      throw new TokenRefused('service account token is issued in the future');
  }

  #checkObjects(claims: ServiceAccountClaims): void {
    const { namespace, serviceAccount, pod, secret, node } = claims;
    const account = this.#find('serviceaccounts', namespace, serviceAccount);
    if (account.state === 'absent') throw new TokenRefused(`serviceaccounts ${quoteGo(serviceAccount.name)} not found`);
    if (account.state === 'other')
      throw new TokenRefused(`service account UID (${account.uid}) does not match claim (${serviceAccount.uid})`);
    if (account.state === 'deleted')
      throw new TokenRefused(`service account ${namespace}/${serviceAccount.name} has been deleted`);
    if (secret !== undefined) this.#checkBound('secret', 'secrets', namespace, secret);
    if (pod !== undefined) this.#checkBound('pod', 'pods', namespace, pod);
    // Beside a pod the node is only information: the pod's death is what ends the token.
    else if (node !== undefined) this.#checkBound('node', 'nodes', '', node);
  }

  #checkBound(word: string, resource: string, namespace: string, ref: ObjectRef): void {
    const found = this.#find(resource, namespace, ref);
    if (found.state === 'other')
      throw new TokenRefused(
        `${word} UID (${found.uid}) does not match service account ${word} ref claim (${ref.uid})`,
      );
    if (found.state !== 'present') throw new TokenRefused('service account token has been invalidated');
  }

  #find(
    resource: string,
    namespace: string,
    ref: ObjectRef,
  ): { state: 'absent' | 'deleted' | 'present' | 'other'; uid: string } {
    const stored = this.#options.store.get({ resource, namespace, name: ref.name });
    if (stored === undefined) return { state: 'absent', uid: '' };
    const { uid = '', deletionTimestamp } = stored.object.metadata;
    if (uid !== ref.uid) return { state: 'other', uid };
    const deletedBefore = this.#options.clock.now() - leewaySeconds * 1000;
    const deleted = deletionTimestamp ? Date.parse(deletionTimestamp) < deletedBefore : false;
    return { state: deleted ? 'deleted' : 'present', uid };
  }
}

async function verifySignature(token: string, candidate: VerificationKey): Promise<Uint8Array | undefined> {
  try {
    // The algorithm is the key's, never the token's: `none` and a public key used as HMAC secret get nowhere.
    const verified = await compactVerify(token, candidate.key, { algorithms: [candidate.algorithm] });
    return verified.payload;
  } catch {
    return undefined;
  }
}

function part(token: string, index: 0 | 1): unknown {
  const parts = token.split('.', 4);
  const text = parts.length === 3 ? parts[index] : undefined;
  return text === undefined ? undefined : parseJson(Buffer.from(text, 'base64url'));
}

function issuerOf(token: string): string {
  return textAt(part(token, 1), 'iss');
}

function keyIdOf(token: string): string {
  return textAt(part(token, 0), 'kid');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
