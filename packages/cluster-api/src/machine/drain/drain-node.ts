import type { Clock, Logger } from '@slipway/base';
import { type Frozen, isReason, type JsonObject, StatusError } from '@slipway/kube';
import { type Client, daemonSets, keyOf, namespaces, type Node, nodes, pods } from '@slipway/runtime';
import { isUnreachable } from '../../workload/index.js';
import { daemonSetOf, type ObservedPod, type PodSurroundings } from './classify-pod.js';
import { type DrainPlan, planDrain } from './drain-plan.js';
import type { DrainResult } from './drain-result.js';
import type { DrainRule } from './drain-rules.js';

export interface DrainOptions {
  /** Of the workload cluster. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Those for the machine, by name. */
  readonly rules: readonly DrainRule[];
}

const passMs = 10_000;
const pageSize = 100;
const unreachableMs = 1_000;

/** One pass of a drain: cordons the Node and asks for the eviction of those pods whose turn it is. */
export async function drainNode(node: Frozen<Node>, options: DrainOptions): Promise<DrainResult> {
  const { client, signal } = options;
  const key = keyOf(node);
  if (node.spec?.unschedulable !== true)
    await client.patch(nodes, key, { type: 'merge', patch: { spec: { unschedulable: true } } }, { signal });
  const plan = await planNodeDrain(node, options);
  const { leaving, failed } = await evictAll(plan, isUnreachable(node) ? 1 : undefined, options);
  const { evictLater, waitNow, waitLater } = plan;
  return { leaving: [...plan.leaving, ...leaving], failed, evictLater, waitNow, waitLater };
}

/** What a drain would do with the pods of a Node now. */
export async function planNodeDrain(node: Frozen<Node>, options: DrainOptions): Promise<DrainPlan> {
  const all = await podsOf(node.metadata.name ?? '', options);
  const surroundings: PodSurroundings = {
    rules: options.rules,
    namespaces: await namespaceLabels(options),
    daemonSets: await existingDaemonSets(all, options),
    nowMs: options.clock.now(),
    ...(isUnreachable(node) && { goneAfterMs: unreachableMs }),
  };
  return planDrain(all, surroundings);
}

async function podsOf(node: string, { client, signal }: DrainOptions): Promise<ObservedPod[]> {
  const found: ObservedPod[] = [];
  let token = '';
  do {
    const page = await client.list(pods, {
      fieldSelector: `spec.nodeName=${node}`,
      limit: pageSize,
      signal,
      ...(token !== '' && { continue: token }),
    });
    found.push(...page.items);
    token = page.continue ?? '';
  } while (token !== '');
  return found;
}

/** Asked for only when a rule wants to know. */
async function namespaceLabels({ client, rules, signal }: DrainOptions): Promise<PodSurroundings['namespaces']> {
  const isAsked = rules.some(({ spec }) => spec.pods?.some((entry) => entry.namespaceSelector !== undefined) === true);
  if (!isAsked) return new Map();
  const { items } = await client.list(namespaces, { signal, metadataOnly: true });
  return new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}]));
}

async function existingDaemonSets(all: readonly ObservedPod[], options: DrainOptions): Promise<ReadonlySet<string>> {
  const names = new Set(all.flatMap((pod) => daemonSetOf(pod) ?? []));
  const existing = new Set<string>();
  for (const text of names) {
    const [namespace = '', name = ''] = text.split('/');
    try {
      await options.client.get(daemonSets, { namespace, name }, { signal: options.signal });
      existing.add(text);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
  return existing;
}

async function evictAll(
  plan: DrainPlan,
  gracePeriodSeconds: number | undefined,
  options: DrainOptions,
): Promise<Pick<DrainResult, 'leaving' | 'failed'>> {
  const { clock, logger } = options;
  const deadline = clock.monotonic() + passMs;
  const leaving: ObservedPod[] = [];
  const failed = new Map<string, ObservedPod[]>();
  for (const { pod, class: podClass } of plan.evictNow) {
    const isLate = clock.monotonic() >= deadline;
    const answer = isLate ? lateText : await evict(pod, gracePeriodSeconds, options);
    logger.debug({ Pod: keyOf(pod), warnings: podClass.warnings, answer }, 'Evicting pod');
    if (answer === 'evicted') leaving.push(pod);
    else if (answer !== 'gone') failed.set(answer, [...(failed.get(answer) ?? []), pod]);
  }
  return { leaving, failed };
}

const lateText = `eviction timeout of ${passMs / 1000}s reached, eviction will be retried`;
const terminatingText =
  'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)';

/** What came of it: 'evicted', 'gone', or why not. */
async function evict(
  pod: ObservedPod,
  gracePeriodSeconds: number | undefined,
  { client, signal }: DrainOptions,
): Promise<string> {
  const key = keyOf(pod);
  const body: JsonObject = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { ...key },
    ...(gracePeriodSeconds !== undefined && { deleteOptions: { gracePeriodSeconds } }),
  };
  try {
    await client.createSubresource(pods, key, 'eviction', body, { signal });
    return 'evicted';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refusalText(error);
  }
}

function refusalText(error: StatusError): string {
  const causes = error.details?.causes ?? [];
  if (error.reason === 'NotFound') return 'gone';
  if (error.reason === 'TooManyRequests')
    return [error.message, causes.map(({ message }) => message ?? '').join(',')].filter(Boolean).join(' ');
  if (error.reason === 'Forbidden' && causes.some(({ reason }) => reason === 'NamespaceTerminating'))
    return terminatingText;
  return error.message;
}
