import { type Frozen, isReason, StatusError } from '@slipway/kube';
import {
  type CreateSubresourceChange,
  daemonSets,
  keyOf,
  namespaces,
  type Node,
  nodes,
  pods,
  type RawPatchChange,
  type ReconcileContext,
  type RemoteCluster,
} from '@slipway/runtime';
import { machineReasons } from '../../api/index.js';
import { isUnreachable } from '../../workload/index.js';
import {
  daemonSetOf,
  type DrainPlan,
  type DrainRule,
  type ObservedPod,
  planDrain,
  podName,
  type PodSurroundings,
} from './drain-plan.js';

interface DrainOptions {
  readonly workload: RemoteCluster;
  readonly context: Pick<ReconcileContext, 'change' | 'clock' | 'logger' | 'signal'>;
  /** Drain rules that apply to the machine, sorted by name. */
  readonly rules: readonly DrainRule[];
}

const stepMs = 10_000;
const pageSize = 100;
const unreachableMs = 1_000;

/** Runs one step of a drain: cordons the Node and evicts the pods that are next in order. */
export async function drainNode(node: Frozen<Node>, options: DrainOptions): Promise<DrainResult> {
  if (node.spec?.unschedulable !== true) await options.context.change(cordon(node, options.workload));
  const plan = await planNodeDrain(node, options);
  const { deleting, failed } = await evictAll(node, plan, options);
  const { evictLater, waitNow, waitLater } = plan;
  return { deleting: [...plan.deleting, ...deleting], failed, evictLater, waitNow, waitLater };
}

function cordon(node: Frozen<Node>, on: RemoteCluster): RawPatchChange<Node> {
  return {
    verb: 'patch',
    resource: nodes,
    key: keyOf(node),
    body: { type: 'merge', patch: { spec: { unschedulable: true } } },
    on,
    reason: machineReasons.drainingNode,
    message: `Cordoned Node ${node.metadata.name ?? ''} to drain it`,
  };
}

/** Returns what a drain would do with the pods of a Node now. */
export async function planNodeDrain(node: Frozen<Node>, options: DrainOptions): Promise<DrainPlan> {
  const all = await podsOf(node.metadata.name ?? '', options);
  const surroundings: PodSurroundings = {
    rules: options.rules,
    namespaces: await namespaceLabels(options),
    daemonSets: await existingDaemonSets(all, options),
    nowMs: options.context.clock.now(),
    ...(isUnreachable(node) && { goneAfterMs: unreachableMs }),
  };
  return planDrain(all, surroundings);
}

async function podsOf(node: string, { workload, context }: DrainOptions): Promise<ObservedPod[]> {
  const found: ObservedPod[] = [];
  let token = '';
  do {
    const page = await workload.read.list(pods, {
      fieldSelector: `spec.nodeName=${node}`,
      limit: pageSize,
      signal: context.signal,
      ...(token !== '' && { continue: token }),
    });
    found.push(...page.items);
    token = page.continue ?? '';
  } while (token !== '');
  return found;
}

/** Returns the labels of namespaces. Reads them only if a rule selects by namespace. */
async function namespaceLabels({ workload, context, rules }: DrainOptions): Promise<PodSurroundings['namespaces']> {
  const isAsked = rules.some(({ spec }) => spec.pods?.some((entry) => entry.namespaceSelector !== undefined) === true);
  if (!isAsked) return new Map();
  const { items } = await workload.read.list(namespaces, { signal: context.signal, metadataOnly: true });
  return new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}]));
}

async function existingDaemonSets(
  all: readonly ObservedPod[],
  { workload, context }: DrainOptions,
): Promise<ReadonlySet<string>> {
  const names = new Set(all.flatMap((pod) => daemonSetOf(pod) ?? []));
  const existing = new Set<string>();
  for (const text of names) {
    const [namespace = '', name = ''] = text.split('/');
    try {
      await workload.read.get(daemonSets, { namespace, name }, { signal: context.signal });
      existing.add(text);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
  return existing;
}

async function evictAll(
  node: Frozen<Node>,
  plan: DrainPlan,
  options: DrainOptions,
): Promise<Pick<DrainResult, 'deleting' | 'failed'>> {
  const { clock, logger } = options.context;
  const deadline = clock.monotonic() + stepMs;
  const deleting: ObservedPod[] = [];
  const failed = new Map<string, ObservedPod[]>();
  for (const { pod, class: podClass } of plan.evictNow) {
    const isLate = clock.monotonic() >= deadline;
    const answer = isLate ? lateText : await evict(pod, node, options);
    logger.debug({ Pod: keyOf(pod), warnings: podClass.warnings, answer }, 'Evicting pod');
    if (answer === 'evicted') deleting.push(pod);
    else if (answer !== 'gone') failed.set(answer, [...(failed.get(answer) ?? []), pod]);
  }
  return { deleting, failed };
}

const lateText = `eviction timeout of ${stepMs / 1000}s reached, eviction will be retried`;
const terminatingText =
  'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)';

/** Evicts a pod. Returns 'evicted', 'gone', or the reason why it was not evicted. */
async function evict(pod: ObservedPod, node: Frozen<Node>, { workload, context }: DrainOptions): Promise<string> {
  try {
    await context.change(eviction(pod, node, workload));
    return 'evicted';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return refusalText(error);
  }
}

function eviction(pod: ObservedPod, node: Frozen<Node>, on: RemoteCluster): CreateSubresourceChange {
  const key = keyOf(pod);
  // The kubelet of an unreachable Node cannot end the pod, so a long grace period would only delay the deletion.
  const deleteOptions = isUnreachable(node) ? { gracePeriodSeconds: 1 } : undefined;
  return {
    verb: 'create',
    resource: pods,
    key,
    subresource: 'eviction',
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { ...key },
      ...(deleteOptions !== undefined && { deleteOptions }),
    },
    on,
    reason: machineReasons.drainingNode,
    message: `Evicted Pod ${key.namespace}/${key.name} to drain Node ${node.metadata.name ?? ''}`,
  };
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

/** The pods left on a Node after a drain step. */
export interface DrainResult {
  readonly deleting: readonly ObservedPod[];
  /** Pods that could not be evicted, by the server response. */
  readonly failed: ReadonlyMap<string, readonly ObservedPod[]>;
  readonly evictLater: readonly ObservedPod[];
  readonly waitNow: readonly ObservedPod[];
  readonly waitLater: readonly ObservedPod[];
}

export function isDrained(result: DrainResult): boolean {
  const { deleting, failed, evictLater, waitNow, waitLater } = result;
  return deleting.length + failed.size + evictLater.length + waitNow.length + waitLater.length === 0;
}

const podsMax = 3;
const failuresMax = 5;
const budgetViolated = "annot evict pod as it would violate the pod's disruption budget.";

/** Returns the message of the Deleting condition. `staleMachinesMessage` searches for parts of it. */
export function drainMessage(result: DrainResult, startedAt: string): string {
  const lines = [`Drain not completed yet (started at ${startedAt}):`];
  if (result.deleting.length > 0)
    lines.push(`* ${podsText(result.deleting)}: deletionTimestamp set, but still not removed from the Node`);
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
