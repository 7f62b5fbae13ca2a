import { type Fields, type GroupVersionResource, textOf, textsOf } from '@slipway/kube';
import type { AdmissionRequest } from '../../contract/index.js';
import { admissionNamespace, isNamespace } from '../refuse.js';

/** A compiled rule of a webhook or policy. */
export interface Rule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  readonly resources: readonly ResourcePattern[];
  readonly scope: string;
  /** Names of the objects that the rule matches; empty matches every name. Only rules of policies have names. */
  readonly names: ReadonlySet<string>;
}

interface ResourcePattern {
  readonly resource: string;
  readonly subresource: string;
}

export function compileRule(rule: Fields): Rule {
  return {
    operations: new Set(textsOf(rule['operations'])),
    groups: new Set(textsOf(rule['apiGroups'])),
    versions: new Set(textsOf(rule['apiVersions'])),
    resources: textsOf(rule['resources']).map(splitResource),
    scope: textOf(rule['scope']) || '*',
    names: new Set(textsOf(rule['resourceNames'])),
  };
}

function splitResource(text: string): ResourcePattern {
  const slash = text.indexOf('/');
  if (slash < 0) return { resource: text, subresource: '' };
  return { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
}

/** Whether the rule matches the request. `resource` is the requested resource or an equivalent one. */
export function ruleMatches(rule: Rule, request: AdmissionRequest, resource: GroupVersionResource): boolean {
  return (
    covers(rule.operations, request.operation) &&
    covers(rule.groups, resource.group) &&
    covers(rule.versions, resource.version) &&
    coversResource(rule, resource.resource, request.subresource) &&
    coversScope(rule.scope, request, resource)
  );
}

function covers(values: ReadonlySet<string>, value: string): boolean {
  return values.has('*') || values.has(value);
}

function coversResource(rule: Rule, resource: string, subresource: string): boolean {
  return rule.resources.some(
    (pattern) =>
      (pattern.resource === '*' || pattern.resource === resource) &&
      (pattern.subresource === '*' || pattern.subresource === subresource),
  );
}

function coversScope(scope: string, request: AdmissionRequest, resource: GroupVersionResource): boolean {
  if (scope === '*') return true;
  const namespaced = !isNamespace(resource) && admissionNamespace(request) !== '';
  return scope === 'Namespaced' ? namespaced : !namespaced;
}

/** Whether the rule may match a request for this group and resource. Ignores version and scope. */
export function ruleConcerns(
  rule: Rule,
  question: {
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly operation: string;
  },
): boolean {
  return (
    covers(rule.operations, question.operation) &&
    covers(rule.groups, question.group) &&
    coversResource(rule, question.resource, question.subresource)
  );
}
