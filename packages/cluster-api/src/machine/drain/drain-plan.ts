import { classifyPod, type ObservedPod, type PodClass, type PodSurroundings } from './classify-pod.js';

/** Which pods go now, which later, and which nobody waits for. Each list by namespace and name. */
export interface DrainPlan {
  readonly evictNow: readonly ClassifiedPod[];
  readonly evictLater: readonly ObservedPod[];
  /** They have been told to go and are still there. */
  readonly leaving: readonly ObservedPod[];
  readonly waitNow: readonly ObservedPod[];
  readonly waitLater: readonly ObservedPod[];
  readonly skipped: readonly ObservedPod[];
}

interface ClassifiedPod {
  readonly pod: ObservedPod;
  readonly class: PodClass;
}

/**
 * Only the pods of the lowest order that is present are touched: those of a higher one may be what the others need until
 * they are gone, such as a storage driver.
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
    leaving: podsOf(busy.filter((entry) => entry.class.behavior === 'Drain' && isLeaving(entry.pod))),
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
