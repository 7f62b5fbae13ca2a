import { forbidden, quoteGo, StatusError } from '@slipway/kube';
import type { AccessRequest } from '../contract/index.js';

/** Returns the text of a denied access: `User "u" cannot get resource "secrets" in API group "" in the namespace "ns"`. */
export function forbiddenMessage(request: AccessRequest): string {
  const { resource } = request;
  const user = `User ${quoteGo(request.user.username)} cannot ${request.verb}`;
  if (resource === undefined) return `${user} path ${quoteGo(request.path ?? '')}`;
  const name = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`;
  const message = `${user} resource ${quoteGo(name)} in API group ${quoteGo(resource.group)}`;
  return resource.namespace === ''
    ? `${message} at the cluster scope`
    : `${message} in the namespace ${quoteGo(resource.namespace)}`;
}

/** Returns the 403 error of a request that no rule allows. */
export function forbiddenRequest(request: AccessRequest, reason = ''): StatusError {
  // Browsers must not interpret the message as HTML.
  const text = forbiddenMessage(request).replace(/[&<>]/g, (sign) => markup[sign] ?? sign);
  const why = reason === '' ? text : `${text}: ${reason}`;
  if (request.resource !== undefined) return forbidden(request.resource, request.resource.name, why);
  return new StatusError({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}`, details: {} });
}

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
