import type { Frozen, KubeObject } from '@slipway/kube';
import { isRecord, listAt, recordAt, textAt, textsAt } from '../fields.js';
import { jsonEqual } from '../json-equal.js';
import { type PolicyRule, rulesOf } from './policy-rule.js';

/**
 * The rules that an aggregating ClusterRole must have: those of every role its selectors choose, in order of selector and
 * name, each once. Undefined when the role does not aggregate, or already has exactly these.
 */
export function aggregatedRules(
  role: Frozen<KubeObject>,
  clusterRoles: readonly Frozen<KubeObject>[],
): PolicyRule[] | undefined {
  const selectors = listAt(recordAt(role, 'aggregationRule'), 'clusterRoleSelectors');
  if (recordAt(role, 'aggregationRule') === undefined) return undefined;
  const sorted = [...clusterRoles].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  const rules: PolicyRule[] = [];
  const seen = new Set<string>();
  for (const selector of selectors)
    for (const other of sorted) {
      if (nameOf(other) === nameOf(role) || !selectorMatches(selector, other.metadata.labels ?? {})) continue;
      for (const rule of rulesOf(other)) {
        const key = JSON.stringify(rule);
        if (!seen.has(key)) rules.push(rule);
        seen.add(key);
      }
    }
  return jsonEqual(rules, rulesOf(role)) ? undefined : rules;
}

function nameOf(object: Frozen<KubeObject>): string {
  return object.metadata.name ?? '';
}

/** A LabelSelector against labels. An empty one chooses everything, one that makes no sense chooses nothing. */
export function selectorMatches(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isRecord(selector)) return false;
  const wanted = Object.entries(recordAt(selector, 'matchLabels') ?? {});
  if (!wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)) return false;
  return listAt(selector, 'matchExpressions').every((expression) => expressionMatches(expression, labels));
}

function expressionMatches(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  const key = textAt(expression, 'key');
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const values = textsAt(expression, 'values');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
