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

/** A selector that makes no sense chooses nothing. */
function toSelector(selector: unknown): LabelSelector {
  if (!isFields(selector)) return noLabel;
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) return noLabel;
    throw error;
  }
}
