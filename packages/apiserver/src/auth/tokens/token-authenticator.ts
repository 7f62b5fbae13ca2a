import type { UserInfo } from '../../contract/index.js';

export interface TokenIdentity {
  readonly user: UserInfo;
  /** For whom the token is good, out of those that were asked for. Absent: the token knows no audiences. */
  readonly audiences?: readonly string[];
}

/** A token that is ours but not good. The text says why and never quotes the token: it goes into TokenReview.status.error. */
export class TokenRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenRefused';
  }
}

export interface TokenAuthenticator {
  /** Undefined: not a token of this kind. A bad one of this kind throws TokenRefused. */
  authenticate(
    token: string,
    audiences?: readonly string[],
  ): Promise<TokenIdentity | undefined> | TokenIdentity | undefined;
}

/** Longer tokens are not looked at: a legitimate one is a few kilobytes at most. */
export const tokenLengthMax = 16_384;
