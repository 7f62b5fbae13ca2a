import { forbidden, StatusError } from '@slipway/kube';
import type { AccessRequest, Authorizer, UserInfo } from '../auth/index.js';
import type { RequestInfo } from './request-info.js';

/** Throws 403 unless allowed. Runs before anything is looked up: what a caller may not see, it cannot probe for either. */
export function authorizeRequest(authorizer: Authorizer, user: UserInfo, wanted: Omit<AccessRequest, 'user'>): void {
  const access = { user, ...wanted };
  const decision = authorizer.authorize(access);
  if (!decision.allowed) throw forbiddenAccess(access, decision.reason);
}

/** The question to the authorizer, still without the one who asks. */
export function accessOf(info: RequestInfo): Omit<AccessRequest, 'user'> {
  if (!info.isResource) return { verb: info.verb, path: info.path };
  const { group, version, resource, subresource, namespace, authorizedName: name } = info;
  return { verb: info.verb, resource: { group, version, resource, subresource, namespace, name } };
}

function forbiddenAccess(access: AccessRequest, reason: string): StatusError {
  const { resource } = access;
  const because = reason === '' ? '' : `: ${reason}`;
  const subject = `User ${JSON.stringify(access.user.username)} cannot ${access.verb}`;
  if (resource === undefined)
    return new StatusError({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: ${escapeMarkup(`${subject} path ${JSON.stringify(access.path)}`)}${because}`,
      details: {},
    });
  const name = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`;
  const where =
    resource.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(resource.namespace)}`;
  const what = `${subject} resource ${JSON.stringify(name)} in API group ${JSON.stringify(resource.group)} ${where}`;
  return forbidden(resource, resource.name, `${escapeMarkup(what)}${because}`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Part of the path comes back in the text: a browser must not take it for markup. */
function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
}
