import type { JsonObject, KubeObject } from '@slipway/kube';
import type { Client, Resource } from '../client/index.js';
import type { EndpointOptions } from './endpoint.js';

const tokenReviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};
const subjectAccessReviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

interface ReviewedUser {
  readonly username?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: JsonObject;
}

/**
 * Authorizes requests to the diagnostics endpoints: the API server must allow the user to `get` the path as a non-resource URL.
 */
export function reviewedByServer(client: Client): NonNullable<EndpointOptions['authorize']> {
  return async ({ authorization, path }) => {
    const token = /^bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return 401;
    const user = await authenticate(client, token);
    if (user === undefined) return 401;
    return (await mayGet(client, user, path)) ? 200 : 403;
  };
}

async function authenticate(client: Client, token: string): Promise<ReviewedUser | undefined> {
  const review: KubeObject = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token },
  };
  const answer = await client.create(tokenReviews, review);
  const status = answer['status'] as { readonly authenticated?: boolean; readonly user?: ReviewedUser } | undefined;
  return status?.authenticated === true ? status.user : undefined;
}

async function mayGet(client: Client, user: ReviewedUser, path: string): Promise<boolean> {
  const spec: JsonObject = {
    user: user.username ?? '',
    ...(user.groups === undefined ? {} : { groups: user.groups }),
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
    nonResourceAttributes: { path, verb: 'get' },
  };
  const review: KubeObject = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec };
  const answer = await client.create(subjectAccessReviews, review);
  return (answer['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
}
