import { quoteGoList } from '@slipway/kube';
import { type PolicyRule, urlCovers } from './policy-rule.js';

/** Returns the permissions in `required` that `held` does not cover, one per rule. */
export function uncoveredRules(held: readonly PolicyRule[], required: readonly PolicyRule[]): PolicyRule[] {
  return required.flatMap(splitRule).filter((part) => !held.some((rule) => covers(rule, part)));
}

interface Permission extends PolicyRule {
  readonly verbs: readonly [string];
}

/** Splits a rule into single permissions: one verb on one resource (and name) or on one URL. */
function splitRule(rule: PolicyRule): Permission[] {
  const urls = rule.nonResourceURLs ?? [];
  return [
    ...(rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((name) => splitResourceRule(rule, group, name)),
    ),
    ...urls.flatMap((url) => rule.verbs.map((verb): Permission => ({ nonResourceURLs: [url], verbs: [verb] }))),
  ];
}

function splitResourceRule(rule: PolicyRule, group: string, resource: string): Permission[] {
  const names = rule.resourceNames ?? [];
  return rule.verbs.flatMap((verb): Permission[] => {
    const part: Permission = { apiGroups: [group], resources: [resource], verbs: [verb] };
    return names.length === 0 ? [part] : names.map((name) => ({ ...part, resourceNames: [name] }));
  });
}

function covers(held: PolicyRule, part: Permission): boolean {
  if (!includesAll(held.verbs, part.verbs)) return false;
  if (part.nonResourceURLs !== undefined)
    return part.nonResourceURLs.every((path) => held.nonResourceURLs?.some((url) => urlCovers(url, path)));
  if (!includesAll(held.apiGroups ?? [], part.apiGroups ?? [])) return false;
  return (
    resourcesCover(held.resources ?? [], part.resources ?? []) && namesCover(held.resourceNames, part.resourceNames)
  );
}

function includesAll(held: readonly string[], required: readonly string[]): boolean {
  return held.includes('*') || required.every((item) => held.includes(item));
}

function resourcesCover(held: readonly string[], required: readonly string[]): boolean {
  return required.every((resource) => {
    if (held.includes('*') || held.includes(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
  });
}

function namesCover(held: readonly string[] | undefined, required: readonly string[] | undefined): boolean {
  if (held === undefined || held.length === 0) return true;
  return required !== undefined && required.every((name) => held.includes(name));
}

/** Merges permissions on the same resource for display. */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, PolicyRule>();
  for (const rule of rules) {
    if (rule.nonResourceURLs !== undefined) {
      compacted.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = simple.get(key);
    simple.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...compacted, ...simple.values()];
}

/** Formats a rule as `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function formatRule(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const texts = parts.flatMap(([label, values]) => (values?.length ? `${label}:${quoteGoList(values)}` : []));
  return `{${texts.join(', ')}}`;
}
