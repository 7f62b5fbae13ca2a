import { aggregateText } from '@slipway/kube';
import { type TokenAuthenticator, type TokenIdentity, TokenRefused, tokenLengthMax } from './token-authenticator.js';

const invalidToken = 'invalid bearer token';

/** Tries the token authenticators in order. If none accepts the token, rejects it with the reasons of all. */
export class BearerTokens {
  constructor(readonly authenticators: readonly TokenAuthenticator[]) {}

  async authenticate(token: string, audiences?: readonly string[]): Promise<TokenIdentity> {
    if (token.length > tokenLengthMax) throw new TokenRefused(invalidToken);
    const reasons = [invalidToken];
    for (const authenticator of this.authenticators) {
      try {
        const identity = await authenticator.authenticate(token, audiences);
        if (identity !== undefined) return identity;
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        reasons.push(error.message);
      }
    }
    throw new TokenRefused(aggregateText(reasons));
  }
}

/**
 * Returns the bearer token of an Authorization header, or undefined. Other schemes, and `Bearer` without a token, count as a
 * request without credentials.
 */
export function bearerToken(header: string | readonly string[] | undefined): string | undefined {
  const first = typeof header === 'string' ? header : header?.[0];
  if (first === undefined) return undefined;
  const [scheme, token] = first.trim().split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== '' ? token : undefined;
}
