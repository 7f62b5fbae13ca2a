import { forbidden, listAt, notFound, quoteGo, quoteGoList, recordAt, textAt } from '@slipway/kube';
import type { Authorizer, UserInfo } from '../../contract/index.js';
import type { RoleRef } from './binding.js';
import { compactRules, formatRule, uncoveredRules } from './covers.js';
import { type PolicyRule, rulesOf } from './policy-rule.js';
import { mastersGroup } from './rbac-authorizer.js';
import { rbacGroup, type RbacIndex } from './rbac-index.js';

/** Dependencies of the checks: the authorizer and the RBAC index. */
export interface EscalationDependencies {
  readonly authorizer: Authorizer;
  readonly index: RbacIndex;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Prevents privilege escalation: the author of a role must hold every permission in it, or the verb `escalate`. Throws 403
 * otherwise. `requestName` is empty for POST, where a rule with resourceNames never applies.
 */
export function checkRoleEscalation(
  dependencies: EscalationDependencies,
  user: UserInfo,
  role: { readonly resource: 'roles' | 'clusterroles'; readonly object: unknown; readonly old?: unknown },
  requestName: string,
): void {
  const metadata = recordAt(role.object, 'metadata');
  const namespace = role.resource === 'roles' ? textAt(metadata, 'namespace') : '';
  if (user.groups.includes(mastersGroup)) return;
  if (mayEscalate(dependencies, user, role.resource, namespace, requestName)) return;
  const name = textAt(metadata, 'name');
  const resource = { group: rbacGroup, resource: role.resource };
  const problem = escalationProblem(dependencies, user, namespace, rulesOf(role.object));
  if (problem !== undefined) throw forbidden(resource, name, problem);
  const aggregates = hasAggregationRule(role.object) || hasAggregationRule(role.old);
  if (
    role.resource === 'clusterroles' &&
    aggregates &&
    escalationProblem(dependencies, user, '', everything) !== undefined
  )
    throw forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
}

/**
 * Prevents escalation by binding: the author must hold the permissions of the role, or `bind` on it. Throws 403, or 404 if the
 * role does not exist.
 */
export function checkBinding(
  dependencies: EscalationDependencies,
  user: UserInfo,
  binding: {
    readonly resource: 'rolebindings' | 'clusterrolebindings';
    readonly name: string;
    readonly namespace: string;
    readonly roleRef: RoleRef;
  },
): void {
  if (user.groups.includes(mastersGroup)) return;
  const namespace = binding.resource === 'rolebindings' ? binding.namespace : '';
  if (mayBind(dependencies, user, binding.roleRef, namespace)) return;
  const role = dependencies.index.role(binding.roleRef, namespace);
  if (role === undefined)
    throw notFound(
      { group: rbacGroup, resource: binding.roleRef.kind === 'Role' ? 'roles' : 'clusterroles' },
      binding.roleRef.name,
    );
  const problem = escalationProblem(dependencies, user, namespace, role.rules);
  if (problem !== undefined) throw forbidden({ group: rbacGroup, resource: binding.resource }, binding.name, problem);
}

/** Returns the missing permissions in upstream's wording, or undefined if the user holds all of them. */
function escalationProblem(
  dependencies: EscalationDependencies,
  user: UserInfo,
  namespace: string,
  rules: readonly PolicyRule[],
): string | undefined {
  const held = dependencies.index.rulesFor(user, namespace);
  const missing = uncoveredRules(held.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(formatRule))].sort();
  const userText = `user ${quoteGo(user.username)} (groups=${quoteGoList(user.groups)})`;
  const text = `${userText} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`;
  return held.errors.length === 0 ? text : `${text}; resolution errors: [${held.errors.join(' ')}]`;
}

function mayEscalate(
  dependencies: EscalationDependencies,
  user: UserInfo,
  resource: string,
  namespace: string,
  name: string,
): boolean {
  const attributes = { group: rbacGroup, version: '*', resource, subresource: '', namespace, name };
  return dependencies.authorizer.authorize({ user, verb: 'escalate', resource: attributes }).allowed;
}

function mayBind(dependencies: EscalationDependencies, user: UserInfo, ref: RoleRef, namespace: string): boolean {
  if (ref.kind !== 'ClusterRole' && ref.kind !== 'Role') return false;
  const resource = ref.kind === 'Role' ? 'roles' : 'clusterroles';
  const attributes = { group: ref.apiGroup, version: '*', resource, subresource: '', namespace, name: ref.name };
  return dependencies.authorizer.authorize({ user, verb: 'bind', resource: attributes }).allowed;
}

function hasAggregationRule(role: unknown): boolean {
  return listAt(recordAt(role, 'aggregationRule'), 'clusterRoleSelectors').length > 0;
}
