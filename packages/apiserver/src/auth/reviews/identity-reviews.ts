import type { Clock } from '@slipway/base';
import {
  badRequest,
  formatTime,
  type MutableJson,
  type MutableJsonObject,
  recordAt,
  textAt,
  textsAt,
} from '@slipway/kube';
import type { SubresourceCreate, UserInfo } from '../../contract/index.js';
import { withAuthenticatedGroup } from '../request-authenticator.js';
import { type BearerTokens, type TokenIdentity, TokenRefused } from '../tokens/index.js';

/**
 * Handles POST tokenreviews: returns the user of a token. Tokens without audiences are valid for the audiences of this server.
 */
export function createTokenReview(tokens: BearerTokens, audiences: readonly string[]): SubresourceCreate {
  return async ({ body }) => {
    const spec = recordAt(body, 'spec');
    const token = textAt(spec, 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const requested = textsAt(spec, 'audiences');
    body['status'] = await reviewStatus(tokens, token, requested.length > 0 ? requested : audiences, audiences);
    return { code: 201, object: body };
  };
}

async function reviewStatus(
  tokens: BearerTokens,
  token: string,
  requested: readonly string[],
  own: readonly string[],
): Promise<MutableJsonObject> {
  let identity: TokenIdentity;
  try {
    identity = await tokens.authenticate(token, requested);
  } catch (error) {
    if (error instanceof TokenRefused) return { user: {}, error: error.message };
    throw error;
  }
  const accepted = identity.audiences ?? requested.filter((audience) => own.includes(audience));
  if (accepted.length === 0) return { user: {}, error: 'invalid bearer token' };
  return { authenticated: true, user: userJson(withAuthenticatedGroup(identity.user)), audiences: [...accepted] };
}

/** Handles POST selfsubjectreviews: returns the caller's own user information. */
export function createSelfSubjectReview(clock: Clock): SubresourceCreate {
  return ({ user }) =>
    Promise.resolve({
      code: 201,
      object: {
        kind: 'SelfSubjectReview',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: userJson(user) },
      },
    });
}

/** Returns the user as API responses contain it, without empty fields. */
export function userJson(user: UserInfo): MutableJsonObject {
  const json: MutableJsonObject = { username: user.username };
  if (user.uid) json['uid'] = user.uid;
  if (user.groups.length > 0) json['groups'] = [...user.groups];
  const extra = Object.entries(user.extra ?? {}).map(([key, values]): [string, MutableJson] => [key, [...values]]);
  if (extra.length > 0) json['extra'] = Object.fromEntries(extra);
  return json;
}
