import { type Frozen, parseTime } from '@slipway/kube';
import { controllerOf, type Pod } from '@slipway/runtime';
import { labels } from '../../api/index.js';
import { type DrainRule, ruleAppliesToPod } from './drain-rules.js';

export type ObservedPod = Frozen<Pod>;

export interface PodClass {
  readonly behavior: 'Drain' | 'Skip' | 'WaitCompleted';
  /** Pods of a lower order leave first. */
  readonly order: number;
  /** Why a person might be surprised that it is evicted. For the log. */
  readonly warnings: readonly string[];
}

export interface PodSurroundings {
  /** Those that apply to the machine, by name. */
  readonly rules: readonly DrainRule[];
  /** Labels by the name of the namespace. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** `namespace/name` of the DaemonSets that exist. */
  readonly daemonSets: ReadonlySet<string>;
  /** Pods that were told to go longer ago than this are taken for gone: nobody on an unreachable Node says so. */
  readonly goneAfterMs?: number;
  readonly nowMs: number;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** What a drain does with a pod. The first rule that takes it away from the drain decides. */
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

/** The pod as one of a DaemonSet, by name; whether that exists is another question. */
export function daemonSetOf(pod: ObservedPod): string | undefined {
  const owner = controllerOf(pod);
  return owner?.kind === 'DaemonSet' ? `${pod.metadata.namespace ?? ''}/${owner.name}` : undefined;
}

/** A DaemonSet would put its pod back at once; one that is gone does not. */
function isOfDaemonSet(pod: ObservedPod, { daemonSets }: PodSurroundings): boolean {
  const owner = daemonSetOf(pod);
  return owner !== undefined && !isFinished(pod) && daemonSets.has(owner);
}

function isStatic(pod: ObservedPod): boolean {
  return Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation);
}

/** `skip` and `wait-completed`, in any case; other values are as good as none. */
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
