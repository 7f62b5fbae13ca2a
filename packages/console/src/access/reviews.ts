import { type JsonObject, parseApiVersion } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';

const accessReviews: Resource = review('authorization.k8s.io/v1', 'SelfSubjectAccessReview');
const subjectReviews: Resource = review('authentication.k8s.io/v1', 'SelfSubjectReview');

function review(apiVersion: string, kind: string): Resource {
  return { ...parseApiVersion(apiVersion), kind, plural: `${kind.toLowerCase()}s`, namespaced: false };
}

/** The resource attributes of a SelfSubjectAccessReview. */
export interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Returns whether the API server allows the access to the user of the client. */
export async function isAllowed(client: Client, attributes: AccessAttributes, signal?: AbortSignal): Promise<boolean> {
  const spec = { resourceAttributes: { ...attributes } };
  const review = await createReview(client, accessReviews, { spec }, signal);
  return (review as { status?: { allowed?: boolean } }).status?.allowed === true;
}

/** Returns the user name that the API server authenticates for the client. */
export async function whoAmI(client: Client, signal?: AbortSignal): Promise<string> {
  const review = await createReview(client, subjectReviews, {}, signal);
  return (review as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username ?? '';
}

function createReview(
  client: Client,
  resource: Resource,
  body: JsonObject,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const apiVersion = `${resource.group}/${resource.version}`;
  const object = { apiVersion, kind: resource.kind, metadata: {}, ...body };
  return client.create(resource, object as never, signal === undefined ? {} : { signal });
}
