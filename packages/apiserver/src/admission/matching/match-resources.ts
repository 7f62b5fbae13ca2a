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

/** Which requests a webhook, a policy or a binding is about. */
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

/** `rules` and `excluded` have other names in webhooks than in policies. */
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

/** The view under which the request matches, or undefined. Throws a StatusError when that cannot be told. */
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
  // A namespace that is missing is only a problem for those that are about the request otherwise.
  if (view !== undefined && namespace !== true) throw namespace;
  return view;
}

/** Rules for the request as it came win over rules for an equivalent of it, and earlier rules over later ones. */
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
  // What is not in a namespace cannot be exempted by one.
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

/** Old or new: an object cannot leave a webhook's sight, nor slip past it, by changing its own labels. */
function matchObject(selector: LabelSelector, request: AdmissionRequest): boolean {
  if (selector.empty) return true;
  return carries(selector, request.object) || carries(selector, request.oldObject);
}

function carries(selector: LabelSelector, object: KubeObject | Frozen<KubeObject> | undefined): boolean {
  return object !== undefined && selector.matches(object.metadata.labels);
}
