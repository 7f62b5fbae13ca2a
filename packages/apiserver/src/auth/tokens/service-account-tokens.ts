import { quoteGo, quoteGoList } from '@slipway/kube';
import type { Clock } from '@slipway/base';
import type { Store } from '../../contract/index.js';
import {
  decodeClaims,
  encodeClaims,
  type ObjectRef,
  type ServiceAccountClaims,
  userOfClaims,
} from './service-account-claims.js';
import type { ServiceAccountKeys } from './service-account-keys.js';
import { type SignatureCheck, signPayload } from './signed-payload.js';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused } from './token-authenticator.js';

export interface ServiceAccountTokenOptions {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Clock;
  readonly signatures: SignatureCheck;
  readonly issuer: string;
  /** Audiences of this server. Tokens without audiences are valid for these. */
  readonly audiences: readonly string[];
}

export function signToken(keys: ServiceAccountKeys, claims: ServiceAccountClaims): Promise<string> {
  return signPayload(keys, encodeClaims(claims));
}

/** Allowed clock skew in seconds. */
const leewaySeconds = 60;

/**
 * Authenticates service account tokens. Everything that can change (time, the account, the bound object) is checked on every
 * request, so that revocation is immediate; only the signature check is cached.
 */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenOptions;

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  async authenticate(token: string, audiences?: readonly string[]): Promise<TokenIdentity | undefined> {
    const { signatures, issuer } = this.#options;
    if (!signatures.isFrom(token, issuer)) return undefined;
    const claims = decodeClaims(await signatures.verified(token));
    if (claims === undefined) throw new TokenRefused('service account token claims could not be validated');
    const accepted = this.#checkAudiences(claims, audiences ?? this.#options.audiences);
    this.#checkTime(claims);
    this.#checkObjects(claims);
    return { user: userOfClaims(claims), audiences: accepted };
  }

  #checkAudiences(claims: ServiceAccountClaims, requested: readonly string[]): readonly string[] {
    const own = claims.aud.length > 0 ? claims.aud : this.#options.audiences;
    const both = own.filter((audience) => requested.includes(audience));
    if (both.length > 0) return both;
    throw new TokenRefused(
      `token audiences ${quoteGoList(own)} is invalid for the target audiences ${quoteGoList(requested)}`,
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
    // In a pod-bound token the node is informational: the token becomes invalid when the pod is deleted.
    else if (node !== undefined) this.#checkBound('node', 'nodes', '', node);
  }

  #checkBound(kind: string, resource: string, namespace: string, ref: ObjectRef): void {
    const found = this.#find(resource, namespace, ref);
    if (found.state === 'other')
      throw new TokenRefused(
        `${kind} UID (${found.uid}) does not match service account ${kind} ref claim (${ref.uid})`,
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
