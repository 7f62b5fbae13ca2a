import { cloneJson, type JsonObject, lastAppliedAnnotation, type MutableJsonObject } from '@slipway/kube';
import { type Cause, isConditionTrue, keyOf, type ReconcileContext } from '@slipway/runtime';
import { beforeUpgradeHookPrefix, clusters, runtimeAnnotations } from '../api/index.js';
import { conversionDataAnnotation } from '../conversion/index.js';
import { type ExtensionClient, type HookCache, pendingHooksOf, pendingHooksText } from '../runtime-extensions/index.js';
import type { TopologyHooks } from './topology-hooks.js';
import type { ObservedCluster } from './topology-state.js';
import type { HookAnswer, HookAnswers, HookCall, LifecycleHook } from './upgrade/lifecycle-hook.js';
import type { UpgradeRange } from './upgrade/upgrade-plan.js';
import { isAnyOnTheWay, isStable, type UpgradeState } from './upgrade/upgrade-tracker.js';

const goOn: HookAnswer = { retryAfterSeconds: 0, message: '' };
/** Fallback interval. Watches report changes of the annotations. */
const annotationRetrySeconds = 20 * 60;
const planCacheMs = 10 * 60_000;

/** Calls the extensions that are registered for lifecycle hooks. */
export class ExtensionHooks implements TopologyHooks {
  readonly #extensions: ExtensionClient;
  readonly #cache: HookCache;
  readonly pending = pendingHooksOf;
  readonly note = note;

  constructor(extensions: ExtensionClient, cache: HookCache) {
    this.#extensions = extensions;
    this.#cache = cache;
  }

  async ask(context: ReconcileContext, cluster: ObservedCluster, { hook, fields }: HookCall): Promise<HookAnswer> {
    const held = hook === 'BeforeClusterUpgrade' ? heldByAnnotation(cluster) : undefined;
    if (held !== undefined) return held;
    if (this.#extensions.handlersOf(hook, cluster).length === 0) return goOn;
    const cached = this.#cache.get(cluster, hook);
    if (cached !== undefined) return cached;
    const request = { cluster: cleanedCluster(cluster), ...(fields as JsonObject) };
    const answer = await context.change({
      verb: 'call',
      resource: clusters,
      key: keyOf(cluster),
      action: `call ${hook} hook`,
      reason: hook,
      message: `Called the extensions that are registered for the ${hook} hook`,
      run: (signal) => this.#extensions.callAll(hook, cluster, request, { signal }),
      assume: () => goOn,
    });
    if (answer.retryAfterSeconds > 0) this.#cache.set(cluster, hook, answer);
    return answer;
  }

  async beforeCreate(context: ReconcileContext, cluster: ObservedCluster): Promise<HookAnswers> {
    return isMade(cluster) ? new Map() : this.#answers(context, cluster, 'BeforeClusterCreate');
  }

  async beforeDelete(context: ReconcileContext, cluster: ObservedCluster): Promise<HookAnswers> {
    if (Object.hasOwn(cluster.metadata.annotations ?? {}, runtimeAnnotations.okToDelete)) return new Map();
    const answers = await this.#answers(context, cluster, 'BeforeClusterDelete');
    const isFree = [...answers.values()].every(({ retryAfterSeconds }) => retryAfterSeconds === 0);
    const message = 'Marked the Cluster as ok to delete: no BeforeClusterDelete hook blocks the deletion';
    if (isFree)
      await annotate(context, cluster, { [runtimeAnnotations.okToDelete]: '' }, { reason: 'DeletionAllowed', message });
    return answers;
  }

  async upgradePlan(
    context: ReconcileContext,
    cluster: ObservedCluster,
    extension: string,
    { desired, controlPlane, minWorkers }: UpgradeRange,
  ): ReturnType<TopologyHooks['upgradePlan']> {
    const request = {
      cluster: cleanedCluster(cluster),
      fromControlPlaneKubernetesVersion: controlPlane,
      ...(minWorkers === '' ? {} : { fromWorkersKubernetesVersion: minWorkers }),
      toKubernetesVersion: desired,
    };
    const options = { signal: context.signal, cacheMs: planCacheMs };
    const response = await this.#extensions.call('GenerateUpgradePlan', cluster, extension, request, options);
    return {
      controlPlane: versionsOf(response['controlPlaneUpgrades']),
      workers: versionsOf(response['workersUpgrades']),
    };
  }

  async afterwards(
    context: ReconcileContext,
    given: ObservedCluster,
    upgrade: UpgradeState,
  ): ReturnType<TopologyHooks['afterwards']> {
    const cluster = await this.#afterInitialized(context, given);
    const pending = pendingHooksOf(cluster);
    const isDue = pending.has('AfterClusterUpgrade') && !isStepPending(pending) && isOver(upgrade);
    if (!isDue) return { cluster, answers: new Map() };
    const fields = { kubernetesVersion: cluster.spec.topology?.version ?? '' };
    const answers = await this.#answers(context, cluster, 'AfterClusterUpgrade', fields);
    if ([...answers.values()].some(({ retryAfterSeconds }) => retryAfterSeconds > 0)) return { cluster, answers };
    const rest = new Set([...pending].filter((hook) => hook !== 'AfterClusterUpgrade'));
    return { cluster: await note(context, cluster, rest), answers };
  }

  async #afterInitialized(context: ReconcileContext, cluster: ObservedCluster): Promise<ObservedCluster> {
    const hook = 'AfterControlPlaneInitialized';
    const pending = new Set(pendingHooksOf(cluster));
    if (!isMade(cluster)) pending.add(hook);
    else if (pending.has(hook) && isConditionTrue(cluster, 'ControlPlaneInitialized')) {
      await this.#answers(context, cluster, hook);
      pending.delete(hook);
    }
    return note(context, cluster, pending);
  }

  async #answers(
    context: ReconcileContext,
    cluster: ObservedCluster,
    hook: LifecycleHook,
    fields: HookCall['fields'] = {},
  ): Promise<HookAnswers> {
    return new Map([[hook, await this.ask(context, cluster, { hook, fields })]]);
  }
}

/** Whether the topology has begun to create its objects. */
function isMade({ spec: { infrastructureRef, controlPlaneRef } }: ObservedCluster): boolean {
  return infrastructureRef !== undefined || controlPlaneRef !== undefined;
}

function isStepPending(pending: ReadonlySet<string>): boolean {
  return pending.has('AfterControlPlaneUpgrade') || pending.has('AfterWorkersUpgrade');
}

/** Whether all parts of the cluster have the version of the topology. */
function isOver({ controlPlane, machineDeployments, machinePools }: UpgradeState): boolean {
  return isStable(controlPlane) && !isAnyOnTheWay(machineDeployments) && !isAnyOnTheWay(machinePools);
}

/** Returns a blocking response if an annotation of a user blocks the upgrade. This does not require an extension. */
function heldByAnnotation({ metadata }: ObservedCluster): HookAnswer | undefined {
  const names = Object.keys(metadata.annotations ?? {})
    .filter((name) => name.startsWith(beforeUpgradeHookPrefix))
    .sort();
  if (names.length === 0) return undefined;
  const message =
    names.length === 1 ? `annotation ${names[0] ?? ''} is set` : `annotations ${names.join(', ')} are set`;
  return { retryAfterSeconds: annotationRetrySeconds, message };
}

/** Records the pending hooks on the Cluster, unless they are already recorded. */
async function note(
  context: Pick<ReconcileContext, 'change'>,
  cluster: ObservedCluster,
  pending: ReadonlySet<string>,
): Promise<ObservedCluster> {
  const text = pendingHooksText(pending);
  const name = runtimeAnnotations.pendingHooks;
  if ((cluster.metadata.annotations?.[name] ?? null) === text) return cluster;
  const message = text === null ? 'No lifecycle hook is pending' : `Lifecycle hooks are pending: ${text}`;
  return annotate(context, cluster, { [name]: text }, { reason: 'PendingHooksChanged', message });
}

function annotate(
  context: Pick<ReconcileContext, 'change'>,
  cluster: ObservedCluster,
  annotations: Record<string, string | null>,
  cause: Cause,
): Promise<ObservedCluster> {
  const body = { type: 'merge', patch: { metadata: { annotations } } } as const;
  return context.change({ verb: 'patch', resource: clusters, key: keyOf(cluster), body, ...cause });
}

/** Returns the Cluster as extensions receive it: without status, managedFields, and annotations that repeat the object. */
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
