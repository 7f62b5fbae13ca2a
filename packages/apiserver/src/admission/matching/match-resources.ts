import {
  type Fields,
  type Frozen,
  itemsOf,
  type KubeObject,
  type LabelSelector,
  labelSelectorFromObject,
  type LabelSelectorObject,
  notFound,
  type StatusError,
  textOf,
} from '@slipway/kube';
import type { AdmissionRequest, Store } from '../../contract/index.js';
import { admissionNamespace, isNamespace } from '../refuse.js';
import type { Equivalents, View } from './equivalents.js';
import { compileRule, type Rule, ruleMatches } from './rule.js';

/** The match criteria of a webhook, policy or binding. */
export interface MatchResources {
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  readonly equivalent: boolean;
}

export interface MatchSources {
  readonly store: Store;
  readonly equivalents: Equivalents;
}

/**
 * Compiles match criteria. The caller passes `rules` and `excluded`, because webhooks and policies name these fields differently.
 */
export function compileMatch(fields: Fields, rules: unknown, excluded: unknown): MatchResources {
  return {
    namespaceSelector: selectorOf(fields['namespaceSelector']),
    objectSelector: selectorOf(fields['objectSelector']),
    rules: itemsOf(rules).map(compileRule),
    excluded: itemsOf(excluded).map(compileRule),
    equivalent: (textOf(fields['matchPolicy']) || 'Equivalent') === 'Equivalent',
  };
}

function selectorOf(value: unknown): LabelSelector {
  return labelSelectorFromObject((value ?? {}) as LabelSelectorObject);
}

/**
 * Returns the view under which the request matches, or undefined if it does not match. Throws a StatusError if the rules match
 * and the namespace selector cannot be evaluated, because the Namespace does not exist.
 */
export function matchRequest(
  match: MatchResources,
  request: AdmissionRequest,
  sources: MatchSources,
): View | undefined {
  const namespace = matchNamespace(match.namespaceSelector, request, sources.store);
  if (namespace === false || !matchObject(match.objectSelector, request)) return undefined;
  if (matchRules(match.excluded, match.equivalent, request, sources.equivalents) !== undefined) return undefined;
  const view =
    match.rules.length === 0
      ? sources.equivalents.view(request.resource)
      : matchRules(match.rules, match.equivalent, request, sources.equivalents);
  // A missing namespace is an error only if the rules match the request.
  if (view !== undefined && namespace !== true) throw namespace;
  return view;
}

/**
 * Returns the view that matches a rule. An exact match takes precedence over an equivalent one, and earlier rules over later
 * ones.
 */
function matchRules(
  rules: readonly Rule[],
  equivalent: boolean,
  request: AdmissionRequest,
  equivalents: Equivalents,
): View | undefined {
  const named = (rule: Rule): boolean => rule.names.size === 0 || rule.names.has(request.name);
  const { resource } = request;
  if (rules.some((rule) => ruleMatches(rule, request, resource) && named(rule))) return equivalents.view(resource);
  if (!equivalent) return undefined;
  const others = equivalents
    .viewsOf(resource.group, resource.resource)
    .filter((view) => view.resource.version !== resource.version || view.resource.group !== resource.group);
  if (others.length === 0) return undefined;
  for (const rule of rules) {
    const view = others.find((one) => ruleMatches(rule, request, one.resource) && named(rule));
    if (view !== undefined) return view;
  }
  return undefined;
}

function matchNamespace(selector: LabelSelector, request: AdmissionRequest, store: Store): boolean | StatusError {
  const namespace = admissionNamespace(request);
  // The namespace selector does not apply to cluster-scoped objects.
  if (namespace === '' && !isNamespace(request.resource)) return true;
  if (selector.empty) return true;
  if (writesNamespace(request)) return selector.matches(request.object?.metadata.labels);
  const stored = store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (stored === undefined) return notFound({ group: '', resource: 'namespaces' }, namespace);
  return selector.matches(stored.object.metadata.labels);
}

function writesNamespace(request: AdmissionRequest): boolean {
  return (
    isNamespace(request.resource) &&
    request.subresource === '' &&
    (request.operation === 'CREATE' || request.operation === 'UPDATE')
  );
}

/** Whether the selector matches the old or the new object. Both are checked, so that a label change cannot evade a webhook. */
function matchObject(selector: LabelSelector, request: AdmissionRequest): boolean {
  if (selector.empty) return true;
  return carries(selector, request.object) || carries(selector, request.oldObject);
}

function carries(selector: LabelSelector, object: KubeObject | Frozen<KubeObject> | undefined): boolean {
  return object !== undefined && selector.matches(object.metadata.labels);
}
