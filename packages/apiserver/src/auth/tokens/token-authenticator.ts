import type { UserInfo } from '../../contract/index.js';

export interface TokenIdentity {
  readonly user: UserInfo;
  /** The requested audiences for which the token is valid. Undefined if the token has no audiences. */
  readonly audiences?: readonly string[];
}

/**
 * Thrown if an authenticator recognizes the type of the token, but the token is invalid. The message is returned in
 * TokenReview.status.error and must not quote the token.
 */
export class TokenRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenRefused';
  }
}

export interface TokenAuthenticator {
  /** Returns undefined if the token is not of this type. Throws TokenRefused for an invalid token of this type. */
  authenticate(
    token: string,
    audiences?: readonly string[],
  ): Promise<TokenIdentity | undefined> | TokenIdentity | undefined;
}

/** Longer tokens are rejected without parsing: a legitimate one has a few kilobytes at most. */
export const tokenLengthMax = 16_384;
