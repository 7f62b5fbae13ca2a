import type { AccessRequest, Authorizer, Decision, UserInfo } from '../contract/index.js';
import { forbiddenRequest, requiredFields } from '../auth/index.js';
import type { RequestInfo } from './request-info.js';

/** Throws 403 unless the request is allowed. Runs before any lookup, so that unauthorized callers cannot probe for objects. */
export function authorizeRequest(
  authorizer: Authorizer,
  user: UserInfo,
  requestedAccess: Omit<AccessRequest, 'user'>,
  observer?: { authorized(decision: Decision): void },
): void {
  const access = { user, ...requestedAccess };
  const decision = authorizer.authorize(access);
  observer?.authorized(decision);
  if (!decision.allowed) throw forbiddenRequest(access, decision.reason);
}

/** Returns the authorizer attributes of a request, without the user. */
export function accessOf(info: RequestInfo): Omit<AccessRequest, 'user'> {
  if (!info.isResource) return { verb: info.verb, path: info.path };
  const { group, version, resource, subresource, namespace, authorizedName: name } = info;
  const attributes = { group, version, resource, subresource, namespace, name };
  const selector = selectsObjects.has(info.verb) ? info.query.get('fieldSelector') : undefined;
  if (selector === undefined) return { verb: info.verb, resource: attributes };
  return { verb: info.verb, resource: { ...attributes, requiredFields: requiredFields(selector) } };
}

const selectsObjects = new Set(['list', 'watch', 'deletecollection']);
