import { createHash, timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../../contract/index.js';
import type { TokenAuthenticator, TokenIdentity } from './token-authenticator.js';

export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

/** Authenticates tokens given at start. Only their hashes are kept, and every hash is compared in constant time. */
export class StaticTokens implements TokenAuthenticator {
  readonly #entries: readonly { readonly digest: Buffer; readonly user: UserInfo }[];

  constructor(tokens: readonly StaticToken[]) {
    this.#entries = tokens.map(({ token, user }) => ({ digest: digestOf(token), user }));
  }

  authenticate(token: string): TokenIdentity | undefined {
    const digest = digestOf(token);
    let found: UserInfo | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found = entry.user;
    return found === undefined ? undefined : { user: found };
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Compares two strings in constant time. */
export function secretsEqual(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right));
}
