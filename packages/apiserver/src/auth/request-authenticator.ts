import { unauthorized } from '@slipway/kube';
import type { Authenticator, Credentials, UserInfo } from '../contract/index.js';
import type { CertificateAuthenticator } from './certificate-authenticator.js';
import { type BearerTokens, bearerToken, TokenRefused } from './tokens/index.js';
import { anonymousUser } from './user.js';

export interface RequestAuthenticatorOptions {
  readonly certificates?: CertificateAuthenticator;
  readonly tokens: BearerTokens;
  readonly anonymous: boolean;
}

/**
 * Authenticates a request. The first valid credential decides; if all credentials are invalid, the request fails. Only a
 * request without credentials is anonymous.
 */
export class RequestAuthenticator implements Authenticator {
  constructor(readonly options: RequestAuthenticatorOptions) {}

  async authenticate(credentials: Credentials): Promise<UserInfo | undefined> {
    const { certificates, tokens, anonymous } = this.options;
    const certificate = credentials.clientCertificate;
    const byCertificate =
      certificate === undefined ? undefined : certificates?.authenticate(certificate, credentials.clientIntermediates);
    if (byCertificate !== undefined && byCertificate !== 'refused') return withAuthenticatedGroup(byCertificate);
    const token = bearerToken(credentials.headers['authorization']);
    if (token !== undefined) return withAuthenticatedGroup(await userOfToken(tokens, token));
    if (byCertificate === 'refused') throw unauthorized();
    return anonymous ? anonymousUser : undefined;
  }
}

async function userOfToken(tokens: BearerTokens, token: string): Promise<UserInfo> {
  try {
    const identity = await tokens.authenticate(token);
    return identity.user;
  } catch (error) {
    if (error instanceof TokenRefused) throw unauthorized();
    throw error;
  }
}

export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.groups.includes('system:authenticated') || user.groups.includes('system:unauthenticated')) return user;
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}
