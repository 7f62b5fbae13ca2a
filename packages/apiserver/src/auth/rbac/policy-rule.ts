import { isFields, listAt, textsAt } from '@slipway/kube';
import type { AccessRequest } from '../../contract/index.js';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Reads the `rules` of a Role or ClusterRole. Empty lists are omitted. */
export function rulesOf(role: unknown): PolicyRule[] {
  return listAt(role, 'rules').filter(isFields).map(readRule);
}

function readRule(rule: Readonly<Record<string, unknown>>): PolicyRule {
  const read: Record<string, readonly string[]> = { verbs: textsAt(rule, 'verbs') };
  for (const key of ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']) {
    const values = textsAt(rule, key);
    if (values.length > 0) read[key] = values;
  }
  return read as { verbs: readonly string[] };
}

/** Whether the rule allows the request. RBAC has no deny rules. */
export function ruleAllows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!has(rule.verbs, request.verb)) return false;
  const { resource } = request;
  if (resource === undefined) return urlsMatch(rule.nonResourceURLs ?? [], request.path ?? '');
  if (!has(rule.apiGroups, resource.group) || !resourceMatches(rule, resource.resource, resource.subresource))
    return false;
  return (
    rule.resourceNames === undefined || rule.resourceNames.length === 0 || rule.resourceNames.includes(resource.name)
  );
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes(value) || list.includes('*'));
}

/**
 * Whether the rule names the resource. `*` also matches subresources, and `*` + `/scale` matches that subresource of all
 * resources; `pods/*` has no special meaning.
 */
function resourceMatches(rule: PolicyRule, resource: string, subresource: string): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  if (has(rule.resources, combined)) return true;
  return subresource !== '' && rule.resources !== undefined && rule.resources.includes(`*/${subresource}`);
}

function urlsMatch(urls: readonly string[], path: string): boolean {
  return urls.some((url) => urlCovers(url, path));
}

/** Whether the URL pattern equals the path or, if it ends in `*`, is a prefix of it. */
export function urlCovers(url: string, path: string): boolean {
  if (url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*{1,256}$/, ''));
}
