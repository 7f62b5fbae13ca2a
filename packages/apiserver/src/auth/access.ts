import type { Clock, Logger, Random } from '@slipway/base';
import { unauthorized } from '@slipway/kube';
import type { CertificateVerifier } from '@slipway/pki';
import type {
  AccessRequest,
  AdmissionPlugin,
  AuthenticationObserver,
  Authorizer,
  Credentials,
  SigningRequestStrategies,
  Store,
  SubresourceCreate,
  UserInfo,
} from '../contract/index.js';
import { CertificateAuthenticator } from './certificate-authenticator.js';
import { createCertificateAdmission, createSigningRequestStrategies } from './certificates/index.js';
import { impersonate } from './impersonation.js';
import { createNodeAuthorizer, createNodeRestriction } from './node/index.js';
import { createEscalationHooks, RbacAuthorizer, type RbacEscalationHooks, RbacIndex } from './rbac/index.js';
import { type AuthenticationConfiguration, OidcAuthenticator } from './oidc/index.js';
import { RequestAuthenticator } from './request-authenticator.js';
import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectReview,
  createSelfSubjectRulesReview,
  createSubjectAccessReview,
  createTokenRequest,
  createTokenReview,
} from './reviews/index.js';
import {
  BearerTokens,
  BootstrapTokenAuthenticator,
  jsonWebKeySet,
  openIdConfiguration,
  type ServiceAccountKeys,
  ServiceAccountTokens,
  SignatureCheck,
  type StaticToken,
  StaticTokens,
  TokenSecrets,
  type TokenWebhook,
  WebhookTokens,
} from './tokens/index.js';
import { UnionAuthorizer } from './union-authorizer.js';
import { anonymousUser } from './user.js';

export interface AccessOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Verifies client certificates against the trusted client CAs. */
  readonly clients: CertificateVerifier;
  readonly keys: ServiceAccountKeys;
  readonly issuer?: string;
  /** URL of the JWKS; derived from the issuer if undefined. */
  readonly jwksUri?: string;
  readonly staticTokens?: readonly StaticToken[];
  readonly anonymous?: boolean;
  /** Issuers of OpenID Connect tokens, and which requests may be anonymous. */
  readonly authentication?: AuthenticationConfiguration | undefined;
  /** A webhook that authenticates tokens which no other authenticator knows. */
  readonly tokenWebhook?: TokenWebhook | undefined;
  readonly logger: Logger;
}

/** Handlers of the review resources, which are create-only. */
interface Reviews {
  readonly tokenReview: SubresourceCreate;
  readonly selfSubjectReview: SubresourceCreate;
  readonly subjectAccessReview: SubresourceCreate;
  readonly localSubjectAccessReview: SubresourceCreate;
  readonly selfSubjectAccessReview: SubresourceCreate;
  readonly selfSubjectRulesReview: SubresourceCreate;
}

interface PlainDocument {
  readonly contentType: string;
  readonly body: string;
  readonly cacheControl: string;
}

/** Authentication, impersonation, and authorization by the Node authorizer and RBAC, on one store. */
export interface Access {
  readonly index: RbacIndex;
  readonly authorizer: Authorizer;
  readonly certificates: CertificateAuthenticator;
  readonly escalationHooks: RbacEscalationHooks;
  readonly admission: readonly AdmissionPlugin[];
  readonly reviews: Reviews;
  /** Strategies of CertificateSigningRequest. */
  readonly signingRequests: SigningRequestStrategies;
  /** Handler of POST serviceaccounts/<name>/token. */
  readonly tokenRequest: SubresourceCreate;
  /** OpenID discovery documents by path. Other parties verify service account tokens with them. */
  readonly documents: ReadonlyMap<string, () => PlainDocument>;
  /** Authenticates a request and returns its user, after impersonation. Throws 401, 403 or 400. */
  resolveUser(
    credentials: Credentials,
    request?: Omit<AccessRequest, 'user'>,
    observer?: AuthenticationObserver,
  ): Promise<UserInfo>;
  /** Replaces the OpenID Connect issuers, effective from the next request. */
  replaceAuthentication(configuration: AuthenticationConfiguration): void;
  dispose(): void;
}

/** The default issuer of service account tokens. */
export const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local';

export function createAccess(options: AccessOptions): Access {
  const { store, clock, random, keys } = options;
  const issuer = options.issuer ?? serviceAccountIssuer;
  const audiences = [issuer];
  const index = RbacIndex.follow(store);
  const nodes = createNodeAuthorizer(store);
  const authorizer = new UnionAuthorizer([nodes, new RbacAuthorizer(index)]);
  const signatures = new SignatureCheck(keys, clock);
  const oidc = new OidcAuthenticator(options, options.authentication ?? { issuers: [], anonymous: undefined });
  const tokens = new BearerTokens([
    new StaticTokens(options.staticTokens ?? []),
    new ServiceAccountTokens({ store, clock, signatures, issuer, audiences }),
    new TokenSecrets({ store, clock, signatures }),
    new BootstrapTokenAuthenticator(store, clock),
    oidc,
    ...(options.tokenWebhook === undefined ? [] : [new WebhookTokens(options.tokenWebhook, clock, audiences)]),
  ]);
  const certificates = new CertificateAuthenticator(options.clients, clock);
  const authenticator = new RequestAuthenticator({ certificates, tokens, anonymous: options.anonymous ?? true });
  return {
    index,
    authorizer,
    certificates,
    escalationHooks: createEscalationHooks({ index, authorizer }),
    admission: [createNodeRestriction(store, authorizer), ...createCertificateAdmission(authorizer)],
    reviews: {
      tokenReview: createTokenReview(tokens, audiences),
      selfSubjectReview: createSelfSubjectReview(clock),
      subjectAccessReview: createSubjectAccessReview(authorizer),
      localSubjectAccessReview: createLocalSubjectAccessReview(authorizer),
      selfSubjectAccessReview: createSelfSubjectAccessReview(authorizer),
      selfSubjectRulesReview: createSelfSubjectRulesReview(index),
    },
    signingRequests: createSigningRequestStrategies(),
    tokenRequest: createTokenRequest({ store, clock, random, keys, issuer, audiences }),
    documents: createDocuments(issuer, options.jwksUri ?? `${issuer}/openid/v1/jwks`, keys),
    async resolveUser(credentials, request, observer) {
      const user = await authenticator.authenticate(credentials);
      if (user === undefined) throw unauthorized();
      if (user === anonymousUser && !oidc.allowsAnonymous(request?.path ?? '')) throw unauthorized();
      observer?.authenticated(user);
      return impersonate(authorizer, user, credentials.headers, request, observer);
    },
    replaceAuthentication: (configuration) => oidc.replace(configuration),
    dispose: () => {
      index.dispose();
      nodes.dispose();
    },
  };
}

function createDocuments(
  issuer: string,
  jwksUri: string,
  keys: ServiceAccountKeys,
): ReadonlyMap<string, () => PlainDocument> {
  const cacheControl = 'public, max-age=3600';
  const configuration = JSON.stringify(openIdConfiguration(issuer, jwksUri, keys));
  const keySet = JSON.stringify(jsonWebKeySet(keys));
  return new Map([
    [
      '/.well-known/openid-configuration',
      () => ({ contentType: 'application/json', body: configuration, cacheControl }),
    ],
    ['/openid/v1/jwks', () => ({ contentType: 'application/jwk-set+json', body: keySet, cacheControl })],
  ]);
}
