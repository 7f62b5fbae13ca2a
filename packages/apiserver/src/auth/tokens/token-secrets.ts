import type { Clock } from '@slipway/base';
import { deepEqual, type Frozen, type KubeObject, quoteGo, recordAt, textAt } from '@slipway/kube';
import type { Store } from '../../contract/index.js';
import { type ObjectRef, serviceAccountGroups, serviceAccountUsername } from './service-account-claims.js';
import type { ServiceAccountKeys } from './service-account-keys.js';
import { signPayload, type SignatureCheck } from './signed-payload.js';
import { secretsEqual } from './static-tokens.js';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused } from './token-authenticator.js';

export const tokenSecretType = 'kubernetes.io/service-account-token';
const accountAnnotation = 'kubernetes.io/service-account.name';
const accountUidAnnotation = 'kubernetes.io/service-account.uid';
const secretIssuer = 'kubernetes/serviceaccount';
const claimPrefix = 'kubernetes.io/serviceaccount/';

/** What the token Secret controller does with a Secret. */
export type TokenSecretPlan =
  | { readonly kind: 'none' }
  /** Delete the Secret: its ServiceAccount was deleted, or was re-created with the same name. */
  | { readonly kind: 'delete' }
  | { readonly kind: 'fill'; readonly object: KubeObject };

/**
 * Decides what to do with a Secret. A Secret of the token type gets a token that is valid as long as the Secret and the account exist.
 */
export async function planTokenSecret(
  secret: Frozen<KubeObject>,
  account: Frozen<KubeObject> | undefined,
  options: { readonly keys: ServiceAccountKeys; readonly authorityPem: string },
): Promise<TokenSecretPlan> {
  const annotations = recordAt(secret.metadata, 'annotations');
  const accountName = textAt(annotations, accountAnnotation);
  if (textAt(secret, 'type') !== tokenSecretType || accountName === '' || secret.metadata.deletionTimestamp)
    return { kind: 'none' };
  const uid = textAt(account?.metadata, 'uid');
  const claimedUid = textAt(annotations, accountUidAnnotation);
  if (account === undefined || (claimedUid !== '' && claimedUid !== uid)) return { kind: 'delete' };
  const object = await fillSecret(secret, { name: accountName, uid }, options);
  return deepEqual(object, secret) ? { kind: 'none' } : { kind: 'fill', object };
}

async function fillSecret(
  secret: Frozen<KubeObject>,
  account: ObjectRef,
  options: { readonly keys: ServiceAccountKeys; readonly authorityPem: string },
): Promise<KubeObject> {
  const { namespace = '', name = '', annotations } = secret.metadata;
  const before = recordAt(secret, 'data');
  const claims = JSON.stringify(claimsOf(namespace, name, account.name, account.uid));
  // Keep an existing token: clients may use it.
  const token = textAt(before, 'token') || base64(await signPayload(options.keys, claims));
  const filled = {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, [accountUidAnnotation]: account.uid } },
    data: { ...before, 'ca.crt': base64(options.authorityPem), namespace: base64(namespace), token },
  };
  return filled as KubeObject;
}

function claimsOf(namespace: string, secret: string, account: string, uid: string): Record<string, string> {
  return {
    iss: secretIssuer,
    [`${claimPrefix}namespace`]: namespace,
    [`${claimPrefix}secret.name`]: secret,
    [`${claimPrefix}service-account.name`]: account,
    [`${claimPrefix}service-account.uid`]: uid,
    sub: serviceAccountUsername(namespace, account),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export interface TokenSecretOptions {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Clock;
  readonly signatures: SignatureCheck;
}

/** Authenticates legacy tokens stored in Secrets. They do not expire; deleting or changing the Secret revokes them. */
export class TokenSecrets implements TokenAuthenticator {
  constructor(readonly options: TokenSecretOptions) {}

  async authenticate(token: string): Promise<TokenIdentity | undefined> {
    if (!this.options.signatures.isFrom(token, secretIssuer)) return undefined;
    const claims = await this.options.signatures.verified(token);
    const [namespace, secretName, name, uid] = [
      textAt(claims, `${claimPrefix}namespace`),
      textAt(claims, `${claimPrefix}secret.name`),
      textAt(claims, `${claimPrefix}service-account.name`),
      textAt(claims, `${claimPrefix}service-account.uid`),
    ];
    if (textAt(claims, 'sub') !== serviceAccountUsername(namespace, name))
      throw new TokenRefused('sub claim is invalid');
    this.#checkSecret(token, namespace, secretName);
    this.#checkAccount(namespace, name, uid);
    return {
      user: { username: serviceAccountUsername(namespace, name), uid, groups: serviceAccountGroups(namespace) },
    };
  }

  #checkSecret(token: string, namespace: string, name: string): void {
    const secret = this.options.store.get({ resource: 'secrets', namespace, name })?.object;
    if (secret === undefined || secret.metadata.deletionTimestamp) throw new TokenRefused('Token has been invalidated');
    const kept = Buffer.from(textAt(recordAt(secret, 'data'), 'token'), 'base64').toString('utf8');
    if (!secretsEqual(kept, token)) throw new TokenRefused("Token does not match server's copy");
  }

  #checkAccount(namespace: string, name: string, uid: string): void {
    const account = this.options.store.get({ resource: 'serviceaccounts', namespace, name })?.object;
    if (account === undefined) throw new TokenRefused(`serviceaccounts ${quoteGo(name)} not found`);
    if (account.metadata.deletionTimestamp)
      throw new TokenRefused(`ServiceAccount ${namespace}/${name} has been deleted`);
    if (account.metadata.uid !== uid)
      throw new TokenRefused(`ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`);
  }
}
