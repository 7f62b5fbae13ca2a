import { cloneJson, type JsonObject, lastAppliedAnnotation, type MutableJsonObject } from '@slipway/kube';
import { type Client, isConditionTrue, type ReconcileContext } from '@slipway/runtime';
import { beforeUpgradeHookPrefix, type Cluster, clusters, runtimeAnnotations } from '../api/index.js';
import { conversionDataAnnotation } from '../conversion/index.js';
import { type ExtensionClient, type HookCache, pendingHooksOf, pendingHooksText } from '../runtime-extensions/index.js';
import type { TopologyHooks } from './topology-hooks.js';
import type { ObservedCluster } from './topology-state.js';
import type { HookAnswer, HookAnswers, HookCall, LifecycleHook } from './upgrade/lifecycle-hook.js';
import { isAnyOnTheWay, isStable, type UpgradeState } from './upgrade/upgrade-tracker.js';

const goOn: HookAnswer = { retryAfterSeconds: 0, message: '' };
/** Annotations are watched; the time is only a net under that. */
const annotationRetrySeconds = 20 * 60;
const planCacheMs = 10 * 60_000;

/** Hooks of topologies, answered by the extensions that are registered for them. */
export function createExtensionHooks(extensions: ExtensionClient, cache: HookCache): TopologyHooks {
  const ask = async (context: ReconcileContext, cluster: ObservedCluster, call: HookCall): Promise<HookAnswer> => {
    const { hook, fields } = call;
    const held = hook === 'BeforeClusterUpgrade' ? heldByAnnotation(cluster) : undefined;
    if (held !== undefined) return held;
    if (extensions.handlersOf(hook, cluster).length === 0) return goOn;
    const known = cache.get(cluster, hook);
    if (known !== undefined) return known;
    const request = { cluster: cleanedCluster(cluster), ...(fields as JsonObject) };
    const answer = await extensions.callAll(hook, cluster, request, { signal: context.signal });
    if (answer.retryAfterSeconds > 0) cache.set(cluster, hook, answer);
    const blocked = answer.retryAfterSeconds > 0;
    context.logger.info(
      { hook, ...(blocked && { retryAfterSeconds: answer.retryAfterSeconds }) },
      'Called lifecycle hook',
    );
    return answer;
  };
  const one = async (
    context: ReconcileContext,
    cluster: ObservedCluster,
    hook: LifecycleHook,
    fields: HookCall['fields'] = {},
  ): Promise<HookAnswers> => new Map([[hook, await ask(context, cluster, { hook, fields })]]);
  const afterInitialized = async (context: ReconcileContext, cluster: ObservedCluster): Promise<ObservedCluster> => {
    const pending = new Set(pendingHooksOf(cluster));
    const { infrastructureRef, controlPlaneRef } = cluster.spec;
    if (infrastructureRef === undefined && controlPlaneRef === undefined) pending.add('AfterControlPlaneInitialized');
    else if (pending.has('AfterControlPlaneInitialized') && isConditionTrue(cluster, 'ControlPlaneInitialized')) {
      await one(context, cluster, 'AfterControlPlaneInitialized');
      pending.delete('AfterControlPlaneInitialized');
    }
    return note(context, cluster, pending);
  };
  return {
    pending: pendingHooksOf,
    ask,
    note,
    async beforeCreate(context, cluster) {
      const { infrastructureRef, controlPlaneRef } = cluster.spec;
      if (infrastructureRef !== undefined || controlPlaneRef !== undefined) return new Map();
      return one(context, cluster, 'BeforeClusterCreate');
    },
    async beforeDelete(context, cluster) {
      if (Object.hasOwn(cluster.metadata.annotations ?? {}, runtimeAnnotations.okToDelete)) return new Map();
      const answers = await one(context, cluster, 'BeforeClusterDelete');
      const isFree = [...answers.values()].every(({ retryAfterSeconds }) => retryAfterSeconds === 0);
      if (isFree) await annotate(context, cluster, { [runtimeAnnotations.okToDelete]: '' });
      return answers;
    },
    async upgradePlan(context, cluster, extension, { desired, controlPlane, minWorkers }) {
      const request = {
        cluster: cleanedCluster(cluster),
        fromControlPlaneKubernetesVersion: controlPlane,
        ...(minWorkers === '' ? {} : { fromWorkersKubernetesVersion: minWorkers }),
        toKubernetesVersion: desired,
      };
      const options = { signal: context.signal, cacheMs: planCacheMs };
      const response = await extensions.call('GenerateUpgradePlan', cluster, extension, request, options);
      return {
        controlPlane: versionsOf(response['controlPlaneUpgrades']),
        workers: versionsOf(response['workersUpgrades']),
      };
    },
    async afterwards(context, given, upgrade) {
      const cluster = await afterInitialized(context, given);
      const pending = pendingHooksOf(cluster);
      const isDue = pending.has('AfterClusterUpgrade') && !isStepPending(pending) && isOver(upgrade);
      if (!isDue) return { cluster, answers: new Map() };
      const fields = { kubernetesVersion: cluster.spec.topology?.version ?? '' };
      const answers = await one(context, cluster, 'AfterClusterUpgrade', fields);
      if ([...answers.values()].some(({ retryAfterSeconds }) => retryAfterSeconds > 0)) return { cluster, answers };
      const rest = new Set([...pending].filter((hook) => hook !== 'AfterClusterUpgrade'));
      return { cluster: await note(context, cluster, rest), answers };
    },
  };
}

function isStepPending(pending: ReadonlySet<string>): boolean {
  return pending.has('AfterControlPlaneUpgrade') || pending.has('AfterWorkersUpgrade');
}

/** Nothing of the cluster has yet to get its version. */
function isOver({ controlPlane, machineDeployments, machinePools }: UpgradeState): boolean {
  return isStable(controlPlane) && !isAnyOnTheWay(machineDeployments) && !isAnyOnTheWay(machinePools);
}

/** People hold an upgrade up with an annotation, without an extension. */
function heldByAnnotation({ metadata }: ObservedCluster): HookAnswer | undefined {
  const names = Object.keys(metadata.annotations ?? {})
    .filter((name) => name.startsWith(beforeUpgradeHookPrefix))
    .sort();
  if (names.length === 0) return undefined;
  const message =
    names.length === 1 ? `annotation ${names[0] ?? ''} is set` : `annotations ${names.join(', ')} are set`;
  return { retryAfterSeconds: annotationRetrySeconds, message };
}

/** Writes which hooks are pending, if that is not what the Cluster says already. */
async function note(
  context: Pick<ReconcileContext, 'client' | 'signal'>,
  cluster: ObservedCluster,
  pending: ReadonlySet<string>,
): Promise<ObservedCluster> {
  const text = pendingHooksText(pending);
  const name = runtimeAnnotations.pendingHooks;
  if ((cluster.metadata.annotations?.[name] ?? null) === text) return cluster;
  return annotate(context, cluster, { [name]: text });
}

function annotate(
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
  { metadata }: ObservedCluster,
  annotations: Record<string, string | null>,
): Promise<ObservedCluster> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  return client.patch<Cluster>(clusters, key, { type: 'merge', patch: { metadata: { annotations } } }, { signal });
}

/** The Cluster as extensions get it: without its status and without what repeats it. */
function cleanedCluster(cluster: ObservedCluster): JsonObject {
  const { status: _status, metadata, ...rest } = cluster;
  const { managedFields: _managed, annotations = {}, ...kept } = metadata;
  const { [lastAppliedAnnotation]: _applied, [conversionDataAnnotation]: _data, ...others } = annotations;
  return cloneJson({
    ...rest,
    metadata: { ...kept, ...(Object.keys(others).length === 0 ? {} : { annotations: others }) },
  }) as unknown as MutableJsonObject;
}

function versionsOf(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [];
  return steps
    .map((step: { readonly version?: unknown } | null) => step?.version)
    .filter((version): version is string => typeof version === 'string');
}
