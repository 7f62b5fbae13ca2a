import type { AccessRequest, Authorizer, UserInfo } from '../contract/index.js';
import { forbiddenRequest } from '../auth/index.js';
import type { RequestInfo } from './request-info.js';

/** Throws 403 unless allowed. Runs before anything is looked up: what a caller may not see, it cannot probe for either. */
export function authorizeRequest(authorizer: Authorizer, user: UserInfo, wanted: Omit<AccessRequest, 'user'>): void {
  const access = { user, ...wanted };
  const decision = authorizer.authorize(access);
  if (!decision.allowed) throw forbiddenRequest(access, decision.reason);
}

/** The question to the authorizer, still without the one who asks. */
export function accessOf(info: RequestInfo): Omit<AccessRequest, 'user'> {
  if (!info.isResource) return { verb: info.verb, path: info.path };
  const { group, version, resource, subresource, namespace, authorizedName: name } = info;
  return { verb: info.verb, resource: { group, version, resource, subresource, namespace, name } };
}
