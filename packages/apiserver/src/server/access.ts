import { CertificateVerifier, type Clock, type Random } from '@slipway/base';
import {
  type AccessRequest,
  anonymousUser,
  type Authorizer,
  BearerTokens,
  BootstrapTokenAuthenticator,
  CertificateAuthenticator,
  type Credentials,
  impersonate,
  RbacAuthorizer,
  RbacIndex,
  RequestAuthenticator,
  ServiceAccountKeys,
  ServiceAccountTokens,
  type ServerIdentity,
  StaticTokens,
  type StaticToken,
  toSigningKey,
  type UserInfo,
} from '../auth/index.js';
import type { Store } from '../storage/index.js';

export interface AccessOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: ServerIdentity;
  readonly issuer: string;
  readonly staticTokens?: readonly StaticToken[];
}

/** Who asks, and what they may do. */
export interface Access {
  readonly authorizer: Authorizer;
  readonly index: RbacIndex;
  readonly tokens: BearerTokens;
  readonly keys: ServiceAccountKeys;
  readonly audiences: readonly string[];
  resolveUser(credentials: Credentials, access: Omit<AccessRequest, 'user'>): UserInfo | Promise<UserInfo>;
}

export function createAccess(options: AccessOptions): Access {
  const { store, clock, identity, issuer } = options;
  const index = RbacIndex.follow(store);
  const authorizer = new RbacAuthorizer(index);
  const keys = new ServiceAccountKeys(toSigningKey(identity.serviceAccountKey));
  const audiences = [issuer];
  const tokens = new BearerTokens([
    new StaticTokens(options.staticTokens ?? []),
    new ServiceAccountTokens({ store, clock, keys, issuer, audiences }),
    new BootstrapTokenAuthenticator(store, clock),
  ]);
  const certificates = new CertificateAuthenticator(new CertificateVerifier([identity.authority.certificate]), clock);
  const authenticator = new RequestAuthenticator({ certificates, tokens, anonymous: true });
  return {
    authorizer,
    index,
    tokens,
    keys,
    audiences,
    async resolveUser(credentials, access) {
      const user = (await authenticator.authenticate(credentials)) ?? anonymousUser;
      return impersonate(authorizer, user, credentials.headers, access);
    },
  };
}
