import { badRequest } from '@slipway/kube';
import type { Resource } from './resource.js';

export interface PathTarget {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export type QueryValue = string | number | boolean | undefined;

/** Returns the URL path of a collection, an object or a subresource. */
export function objectPath(resource: Resource, target: PathTarget): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const parts = [root];
  if (resource.namespaced && target.namespace !== undefined && target.namespace !== '')
    parts.push('namespaces', segment(target.namespace));
  parts.push(resource.plural);
  if (target.name !== undefined) parts.push(segment(target.name));
  if (target.subresource !== undefined && target.subresource !== '')
    parts.push(...target.subresource.split('/').map(segment));
  return parts.join('/');
}

/** Rejects a request whose path would address another endpoint than the intended one. Both clients call this. */
export function checkObjectTarget(
  resource: Resource,
  target: { readonly namespace?: string; readonly name?: string },
): void {
  if (target.name === undefined || target.name === '') throw badRequest('resource name may not be empty');
  segment(target.name);
  if (resource.namespaced && (target.namespace === undefined || target.namespace === ''))
    throw badRequest('an empty namespace may not be set when a resource name is provided');
}

export function checkCreateTarget(resource: Resource, namespace: string | undefined): void {
  if (resource.namespaced && (namespace === undefined || namespace === ''))
    throw badRequest('an empty namespace may not be set during creation');
}

export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Returns a path segment. Rejects names such as `..` or with a slash, which would address another object. */
function segment(text: string): string {
  if (text === '.' || text === '..' || /[/%]/.test(text))
    throw badRequest(`invalid resource name ${JSON.stringify(text)}: may not be '.' or '..' or contain '/' or '%'`);
  return encodeURIComponent(text);
}
