import { type Frozen, labelSelectorFromObject, type LabelSelectorObject, parseTime } from '@slipway/kube';
import { controllerOf, type Pod } from '@slipway/runtime';
import { labels, type MachineDrainRule } from '../../api/index.js';

/** Pods to evict now, to evict later, and to ignore. Each list is sorted by namespace and name. */
export interface DrainPlan {
  readonly evictNow: readonly ClassifiedPod[];
  readonly evictLater: readonly ObservedPod[];
  /** Pods with a deletionTimestamp that still exist. */
  readonly deleting: readonly ObservedPod[];
  readonly waitNow: readonly ObservedPod[];
  readonly waitLater: readonly ObservedPod[];
  readonly skipped: readonly ObservedPod[];
}

interface ClassifiedPod {
  readonly pod: ObservedPod;
  readonly class: PodClass;
}

/**
 * Plans a drain. Only pods of the lowest order that is present are evicted: they may depend on pods of a higher order, such as a
 * storage driver.
 */
export function planDrain(pods: readonly ObservedPod[], surroundings: PodSurroundings): DrainPlan {
  const classified = [...pods]
    .sort((left, right) => (podName(left) < podName(right) ? -1 : 1))
    .map((pod): ClassifiedPod => ({ pod, class: classifyPod(pod, surroundings) }));
  const busy = classified.filter((entry) => entry.class.behavior !== 'Skip');
  const lowest = Math.min(...busy.map((entry) => entry.class.order));
  const isNow = (entry: ClassifiedPod): boolean => entry.class.order === lowest;
  const toEvict = busy.filter((entry) => entry.class.behavior === 'Drain' && !isLeaving(entry.pod));
  const toWait = busy.filter((entry) => entry.class.behavior === 'WaitCompleted');
  return {
    evictNow: toEvict.filter(isNow),
    evictLater: podsOf(toEvict.filter((entry) => !isNow(entry))),
    deleting: podsOf(busy.filter((entry) => entry.class.behavior === 'Drain' && isLeaving(entry.pod))),
    waitNow: podsOf(toWait.filter(isNow)),
    waitLater: podsOf(toWait.filter((entry) => !isNow(entry))),
    skipped: podsOf(classified.filter((entry) => entry.class.behavior === 'Skip')),
  };
}

export function podName(pod: ObservedPod): string {
  return `${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;
}

function isLeaving(pod: ObservedPod): boolean {
  return typeof pod.metadata.deletionTimestamp === 'string';
}

function podsOf(entries: readonly ClassifiedPod[]): ObservedPod[] {
  return entries.map(({ pod }) => pod);
}

export type ObservedPod = Frozen<Pod>;

export interface PodClass {
  readonly behavior: 'Drain' | 'Skip' | 'WaitCompleted';
  /** Pods of a lower order are evicted first. */
  readonly order: number;
  /** Why the eviction may be unexpected, for the log. */
  readonly warnings: readonly string[];
}

export interface PodSurroundings {
  /** Rules that apply to the machine, sorted by name. */
  readonly rules: readonly DrainRule[];
  /** Labels of each namespace. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** `namespace/name` of the DaemonSets that exist. */
  readonly daemonSets: ReadonlySet<string>;
  /**
   * Pods whose deletion takes longer than this are ignored: the kubelet of an unreachable Node cannot confirm that they
   * have ended.
   */
  readonly goneAfterMs?: number;
  readonly nowMs: number;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Returns what a drain does with a pod. The first matching exclusion decides. */
export function classifyPod(pod: ObservedPod, surroundings: PodSurroundings): PodClass {
  if (isTakenForGone(pod, surroundings) || isOfDaemonSet(pod, surroundings) || isStatic(pod)) return skipped;
  return classByLabel(pod) ?? classByRules(pod, surroundings);
}

const skipped: PodClass = { behavior: 'Skip', order: 0, warnings: [] };
const awaited: PodClass = { behavior: 'WaitCompleted', order: 0, warnings: [] };

function isTakenForGone(pod: ObservedPod, { goneAfterMs, nowMs }: PodSurroundings): boolean {
  const { deletionTimestamp } = pod.metadata;
  if (goneAfterMs === undefined || typeof deletionTimestamp !== 'string') return false;
  return nowMs - parseTime(deletionTimestamp) > goneAfterMs;
}

function isFinished(pod: ObservedPod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Returns the name of the DaemonSet that owns the pod. The DaemonSet may not exist. */
export function daemonSetOf(pod: ObservedPod): string | undefined {
  const owner = controllerOf(pod);
  return owner?.kind === 'DaemonSet' ? `${pod.metadata.namespace ?? ''}/${owner.name}` : undefined;
}

/** Whether an existing DaemonSet owns the pod: it would recreate an evicted pod immediately. */
function isOfDaemonSet(pod: ObservedPod, { daemonSets }: PodSurroundings): boolean {
  const owner = daemonSetOf(pod);
  return owner !== undefined && !isFinished(pod) && daemonSets.has(owner);
}

function isStatic(pod: ObservedPod): boolean {
  return Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation);
}

/** Evaluates the drain label of a pod: `skip` or `wait-completed`, case-insensitive. Other values are ignored. */
function classByLabel(pod: ObservedPod): PodClass | undefined {
  const value = (pod.metadata.labels?.[labels.drain] ?? '').toLowerCase();
  if (value === 'skip') return skipped;
  return value.replace('-', '') === 'waitcompleted' ? awaited : undefined;
}

function classByRules(pod: ObservedPod, { rules, namespaces }: PodSurroundings): PodClass {
  const namespace = namespaces.get(pod.metadata.namespace ?? '') ?? {};
  const rule = rules.find((candidate) => ruleAppliesToPod(candidate, pod, namespace));
  const behavior = rule?.spec.drain.behavior ?? 'Drain';
  if (behavior === 'Skip') return skipped;
  const order = rule?.spec.drain.order ?? 0;
  if (behavior === 'WaitCompleted') return { ...awaited, order };
  return { behavior, order, warnings: warningsOf(pod) };
}

function warningsOf(pod: ObservedPod): string[] {
  if (isFinished(pod)) return [];
  const warnings: string[] = [];
  if (daemonSetOf(pod) !== undefined) warnings.push('evicting orphaned DaemonSet-managed Pod');
  if (pod.spec?.volumes?.some((volume) => volume['emptyDir'] !== undefined) === true)
    warnings.push('evicting Pod with local storage');
  if (controllerOf(pod) === undefined) warnings.push('evicting Pod that has no controller');
  return warnings;
}

export type DrainRule = Frozen<MachineDrainRule>;

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/**
 * Returns the drain rules for a machine, sorted by name: the first rule that matches a pod decides. Throws if a selector is
 * invalid, because draining with only some of the rules could evict pods that must be kept.
 */
export function drainRulesFor(rules: Iterable<DrainRule>, machine: Labelled, cluster: Labelled): DrainRule[] {
  const all = [...rules];
  for (const rule of all) checkSelectors(rule);
  return all
    .filter((rule) => ruleAppliesToMachine(rule, machine, cluster))
    .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
}

/** Whether a rule applies to a machine: it has no machine entries, or at least one of them matches. */
function ruleAppliesToMachine(rule: DrainRule, machine: Labelled, cluster: Labelled): boolean {
  const entries = rule.spec.machines ?? [];
  if (entries.length === 0) return true;
  return entries.some(
    ({ selector, clusterSelector }) => selects(selector, machine) && selects(clusterSelector, cluster),
  );
}

function ruleAppliesToPod(rule: DrainRule, pod: Labelled, namespaceLabels: Readonly<Record<string, string>>): boolean {
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
