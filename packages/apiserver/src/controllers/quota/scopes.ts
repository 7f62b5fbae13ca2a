import type { Frozen, KubeObject } from '@slipway/kube';
import { fields, type Fields, has, list, text, texts } from '../../kinds/shared/fields.js';

interface Requirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

type ScopeTest = (pod: Frozen<KubeObject>, requirement: Requirement) => boolean;

const podScopes: Readonly<Record<string, ScopeTest>> = {
  Terminating: (pod) => isBounded(pod),
  NotTerminating: (pod) => !isBounded(pod),
  BestEffort: (pod) => isBestEffort(pod),
  NotBestEffort: (pod) => !isBestEffort(pod),
  PriorityClass: (pod, requirement) => matchesName(text(fields(pod['spec'])['priorityClassName']), requirement),
  CrossNamespacePodAffinity: (pod) => reachesOut(fields(pod['spec'])),
};

/**
 * Returns a filter for the scopes of a quota. Scopes restrict it to some pods, or to claims by VolumeAttributesClass. They match
 * no other kind.
 */
export function scopeFilter(quota: Frozen<KubeObject>): (plural: string, object: Frozen<KubeObject>) => boolean {
  const requirements = requirementsOf(fields(quota['spec']));
  if (requirements.length === 0) return () => true;
  return (plural, object) => requirements.every((requirement) => matches(plural, object, requirement));
}

function matches(plural: string, object: Frozen<KubeObject>, requirement: Requirement): boolean {
  if (plural === 'persistentvolumeclaims' && requirement.scope === 'VolumeAttributesClass')
    return matchesName(text(fields(object['spec'])['volumeAttributesClassName']), requirement);
  const test = Object.hasOwn(podScopes, requirement.scope) ? podScopes[requirement.scope] : undefined;
  return plural === 'pods' && test !== undefined && test(object, requirement);
}

function requirementsOf(spec: Fields): Requirement[] {
  const named = texts(spec['scopes']).map((scope) => ({ scope, operator: 'Exists', values: [] }));
  const selected = list(fields(spec['scopeSelector'])['matchExpressions']).map((expression) => ({
    scope: text(expression['scopeName']),
    operator: text(expression['operator']),
    values: texts(expression['values']),
  }));
  return [...named, ...selected];
}

function matchesName(name: string, { operator, values }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

/** Whether the pod is in the Terminating scope: it has activeDeadlineSeconds. */
function isBounded(pod: Frozen<KubeObject>): boolean {
  const seconds = fields(pod['spec'])['activeDeadlineSeconds'];
  return typeof seconds === 'number' && seconds >= 0;
}

function isBestEffort(pod: Frozen<KubeObject>): boolean {
  const spec = fields(pod['spec']);
  const containers = [...list(spec['containers']), ...list(spec['initContainers'])];
  return containers.every((container) => {
    const { requests, limits } = fields(container['resources']);
    return [requests, limits].every((amounts) => {
      const { cpu, memory } = fields(amounts);
      return isNone(cpu) && isNone(memory);
    });
  });
}

function isNone(quantity: unknown): boolean {
  return quantity === undefined || quantity === '0';
}

function reachesOut(spec: Fields): boolean {
  const affinity = fields(spec['affinity']);
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const rules = fields(affinity[kind]);
    const required = list(rules['requiredDuringSchedulingIgnoredDuringExecution']);
    const preferred = list(rules['preferredDuringSchedulingIgnoredDuringExecution']).map((one) =>
      fields(one['podAffinityTerm']),
    );
    return [...required, ...preferred].some(
      (term) => texts(term['namespaces']).length > 0 || has(term['namespaceSelector']),
    );
  });
}
