import {
  deepEqual,
  type Frozen,
  isFields,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  listAt,
  noLabel,
  recordAt,
  SelectorError,
} from '@slipway/kube';
import { type PolicyRule, rulesOf } from './policy-rule.js';

/**
 * Returns the desired rules of an aggregated ClusterRole: those of all roles that its selectors match, in selector and name
 * order, without duplicates. Returns undefined if the role does not aggregate or is up to date.
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
  for (const selector of selectors.map(toSelector))
    for (const other of sorted) {
      if (nameOf(other) === nameOf(role) || !selector.matches(other.metadata.labels ?? {})) continue;
      for (const rule of rulesOf(other)) {
        const key = JSON.stringify(rule);
        if (!seen.has(key)) rules.push(rule);
        seen.add(key);
      }
    }
  return deepEqual(rules, rulesOf(role)) ? undefined : rules;
}

function nameOf(object: Frozen<KubeObject>): string {
  return object.metadata.name ?? '';
}

/** Parses a label selector. An invalid one matches nothing. */
function toSelector(selector: unknown): LabelSelector {
  if (!isFields(selector)) return noLabel;
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return noLabel;
    throw error;
  }
}
