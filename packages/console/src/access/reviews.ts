import { type JsonObject, parseApiVersion } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';

const accessReviews: Resource = review('authorization.k8s.io/v1', 'SelfSubjectAccessReview');
const subjectReviews: Resource = review('authentication.k8s.io/v1', 'SelfSubjectReview');

function review(apiVersion: string, kind: string): Resource {
  return { ...parseApiVersion(apiVersion), kind, plural: `${kind.toLowerCase()}s`, namespaced: false };
}

/** The access to review. */
export interface Deed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Asks the API server whether the user has the access. */
export async function mayDo(client: Client, deed: Deed, signal?: AbortSignal): Promise<boolean> {
  const spec = { resourceAttributes: { ...deed } };
  const answer = await ask(client, accessReviews, { spec }, signal);
  return (answer as { status?: { allowed?: boolean } }).status?.allowed === true;
}

/** The user name that the API server authenticates. */
export async function whoAmI(client: Client, signal?: AbortSignal): Promise<string> {
  const answer = await ask(client, subjectReviews, {}, signal);
  return (answer as { status?: { userInfo?: { username?: string } } }).status?.userInfo?.username ?? '';
}

function ask(client: Client, resource: Resource, body: JsonObject, signal: AbortSignal | undefined): Promise<unknown> {
  const apiVersion = `${resource.group}/${resource.version}`;
  const object = { apiVersion, kind: resource.kind, metadata: {}, ...body };
  return client.create(resource, object as never, signal === undefined ? {} : { signal });
}
