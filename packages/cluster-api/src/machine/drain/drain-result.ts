import type { ObservedPod } from './classify-pod.js';
import { podName } from './drain-plan.js';

/** What is left on a Node after a pass of a drain. */
export interface DrainResult {
  readonly leaving: readonly ObservedPod[];
  /** By what the server said. */
  readonly failed: ReadonlyMap<string, readonly ObservedPod[]>;
  readonly evictLater: readonly ObservedPod[];
  readonly waitNow: readonly ObservedPod[];
  readonly waitLater: readonly ObservedPod[];
}

export function isDrained(result: DrainResult): boolean {
  const { leaving, failed, evictLater, waitNow, waitLater } = result;
  return leaving.length + failed.size + evictLater.length + waitNow.length + waitLater.length === 0;
}

const podsMax = 3;
const failuresMax = 5;
const budgetViolated = "annot evict pod as it would violate the pod's disruption budget.";

/** The message of the Deleting condition. Owners of machines look for parts of it: see `staleMachinesMessage`. */
export function drainMessage(result: DrainResult, startedAt: string): string {
  const lines = [`Drain not completed yet (started at ${startedAt}):`];
  if (result.leaving.length > 0)
    lines.push(`* ${podsText(result.leaving)}: deletionTimestamp set, but still not removed from the Node`);
  lines.push(...failureLines(result.failed));
  if (result.waitNow.length > 0) lines.push(`* ${podsText(result.waitNow)}: waiting for completion`);
  const after = 'After above Pods have been removed from the Node,';
  if (result.evictLater.length > 0)
    lines.push(`${after} the following Pods will be evicted: ${namesText(result.evictLater)}`);
  if (result.waitLater.length > 0)
    lines.push(`${after} waiting for the following Pods to complete without eviction: ${namesText(result.waitLater)}`);
  return lines.join('\n');
}

function failureLines(failed: DrainResult['failed']): string[] {
  const sorted = [...failed].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = sorted.slice(0, failuresMax).map(([cause, pods]) => `* ${podsText(pods)}: ${failureText(cause)}`);
  const others = sorted.slice(failuresMax).reduce((sum, [, pods]) => sum + pods.length, 0);
  if (others > 0) lines.push(`* ${others} ${others === 1 ? 'Pod' : 'Pods'} with other issues`);
  return lines;
}

function failureText(cause: string): string {
  const text = cause.replaceAll(`C${budgetViolated}`, `c${budgetViolated}`);
  return text.startsWith(`c${budgetViolated}`) ? text : `failed to evict Pod, ${text}`;
}

function podsText(pods: readonly ObservedPod[]): string {
  return `${pods.length === 1 ? 'Pod' : 'Pods'} ${namesText(pods)}`;
}

function namesText(pods: readonly ObservedPod[]): string {
  const more = pods.length - podsMax;
  return pods.slice(0, podsMax).map(podName).join(', ') + (more > 0 ? `, ... (${more} more)` : '');
}
