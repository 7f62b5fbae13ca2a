import { type Frozen, type LabelSelectorObject, labelSelectorFromObject } from '@slipway/kube';
import type { MachineDrainRule } from '../../api/index.js';

export type DrainRule = Frozen<MachineDrainRule>;

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * The rules for a machine, by name: the first that fits a pod decides about it. Throws when a selector cannot be read,
 * since a drain by half of the rules could evict what somebody wanted kept.
 */
export function drainRulesFor(rules: Iterable<DrainRule>, machine: Labelled, cluster: Labelled): DrainRule[] {
  const all = [...rules];
  for (const rule of all) checkSelectors(rule);
  return all
    .filter((rule) => ruleAppliesToMachine(rule, machine, cluster))
    .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
}

/** No entries fit everything; of several one has to fit. */
function ruleAppliesToMachine(rule: DrainRule, machine: Labelled, cluster: Labelled): boolean {
  const entries = rule.spec.machines ?? [];
  if (entries.length === 0) return true;
  return entries.some(
    ({ selector, clusterSelector }) => selects(selector, machine) && selects(clusterSelector, cluster),
  );
}

export function ruleAppliesToPod(
  rule: DrainRule,
  pod: Labelled,
  namespaceLabels: Readonly<Record<string, string>>,
): boolean {
  const entries = rule.spec.pods ?? [];
  if (entries.length === 0) return true;
  const namespace = { metadata: { labels: namespaceLabels } };
  return entries.some(
    ({ selector, namespaceSelector }) => selects(selector, pod) && selects(namespaceSelector, namespace),
  );
}

type Selector = LabelSelectorObject | undefined;

function selects(selector: Selector, object: Labelled): boolean {
  if (selector === undefined) return true;
  return labelSelectorFromObject(selector).matches(object.metadata.labels ?? {});
}

function checkSelectors(rule: DrainRule): void {
  const { machines = [], pods = [] } = rule.spec;
  const selectors: Selector[] = [
    ...machines.flatMap(({ selector, clusterSelector }) => [selector, clusterSelector]),
    ...pods.flatMap(({ selector, namespaceSelector }) => [selector, namespaceSelector]),
  ];
  for (const selector of selectors) {
    if (selector === undefined) continue;
    try {
      labelSelectorFromObject(selector);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`invalid selectors in MachineDrainRule ${rule.metadata.name ?? ''}: ${why}`, { cause: error });
    }
  }
}
