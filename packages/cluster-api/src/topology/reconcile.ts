import { cloneJson, type Frozen, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  done,
  FencedError,
  getCondition,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  ReconcileError,
  type ReconcileContext,
  retry,
  terminal,
  wait,
  type Watch,
} from '@slipway/runtime';
import { clusterClasses, clusters, topologyReasons } from '../api/index.js';
import { isPaused } from '../toolkit/index.js';
import { applyState } from './apply/apply-state.js';
import type { NoOpCache } from './apply/compare-by-dry-run.js';
import { readBlueprint } from './blueprint.js';
import { specVersionOf } from './control-plane-fields.js';
import { readCurrentState } from './current-state.js';
import { computeDesiredState } from './desired/desired-state.js';
import type { TopologyHooks } from './topology-hooks.js';
import type { ApplyPatches } from './patches/apply-patches.js';
import { classNotReconciled, type TopologyOutcome } from './topology-condition.js';
import type { ObservedClass, ObservedCluster, Topology } from './topology-state.js';
import { topologyStatusChange } from './topology-status.js';
import { decideVersions } from './upgrade/decide-versions.js';
import { retryAfterSeconds } from './upgrade/lifecycle-hook.js';
import { makePlan } from './upgrade/make-plan.js';
import { upgradeRange } from './upgrade/upgrade-plan.js';
import { withVariables } from './variables.js';

/** Dependencies of the topology controller. */
export interface TopologyDependencies {
  readonly cache: NoOpCache;
  readonly hooks: TopologyHooks;
  readonly applyPatches: ApplyPatches;
  /** Maps a provider object to the Clusters to reconcile. */
  readonly map: Watch['map'];
  readonly kubeletVersion: (cluster: ObjectKey, node: string) => Promise<string | undefined>;
}

/** The state of one reconcile of a topology. */
type TopologyScope = { -readonly [Key in keyof TopologyOutcome]: TopologyOutcome[Key] };

/** Reconciles the objects of a Cluster with its topology, and reports progress in the TopologyReconciled condition. */
export async function reconcileTopology(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: TopologyDependencies,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  const topology = cluster?.spec.topology;
  if (cluster === undefined || topology === undefined) return done();
  const scope: TopologyScope = { cluster, answers: new Map() };
  const outcome = await attempt(context, dependencies, scope, topology);
  if (context.signal.aborted) return outcome;
  try {
    await context.change(topologyStatusChange(scope, context.clock.now()));
    return outcome;
  } catch (error) {
    // Both failed. Report the earlier error.
    if (scope.error === undefined || error instanceof FencedError) throw error;
    context.logger.warn({ err: error }, 'Failed to write the TopologyReconciled condition');
    return outcome;
  }
}

/** Runs the reconcile, and stores the result in `scope` for the condition. */
async function attempt(
  context: ReconcileContext,
  dependencies: TopologyDependencies,
  scope: TopologyScope,
  topology: Topology,
): Promise<Outcome> {
  const { cluster } = scope;
  try {
    if (isPaused(cluster as Frozen<KubeObject>, cluster)) return done();
    if (isDeleting(cluster as Frozen<KubeObject>))
      scope.answers = await dependencies.hooks.beforeDelete(context, cluster);
    else await reconcileNormal(context, dependencies, scope, topology);
    const seconds = retryAfterSeconds(scope.answers);
    if (seconds === 0) return done();
    return wait({
      ms: seconds * 1_000,
      reason: 'LifecycleHookBlocking',
      message: 'a runtime extension requested a retry',
    });
  } catch (error) {
    if (error instanceof FencedError) throw error;
    scope.error = error instanceof Error ? error : new Error(String(error));
    return outcomeOf(scope.error);
  }
}

function outcomeOf(error: Error): Outcome {
  if (!(error instanceof ReconcileError)) return retry(error);
  const { reason, message } = error;
  if (reason === topologyReasons.clusterClassNotReconciled) return wait({ reason, message });
  return error.retry === 'onChange' || error.retry === 'never' ? terminal(error) : retry(error);
}

async function reconcileNormal(
  context: ReconcileContext,
  dependencies: TopologyDependencies,
  scope: TopologyScope,
  given: Topology,
): Promise<void> {
  const clusterClass = readClass(context, scope.cluster, given);
  const topology = withVariables(given, clusterClass);
  if (topology !== given) scope.cluster = await writeVariables(context, scope.cluster, topology);
  const { cluster } = scope;

  const blueprint = await readBlueprint(context, clusterClass, topology, dependencies.map);
  const kubeletVersion = (node: string): Promise<string | undefined> =>
    dependencies.kubeletVersion(keyOf(cluster), node);
  const reading = {
    sources: context.sources,
    follow: context.follow.bind(context),
    map: dependencies.map,
    kubeletVersion,
  };
  const current = await readCurrentState(reading, cluster, blueprint);

  scope.answers = await dependencies.hooks.beforeCreate(context, cluster);
  if (retryAfterSeconds(scope.answers) > 0) return;

  const range = upgradeRange(current, topology.version);
  const plan = await makePlan(range, clusterClass, (extension, from) =>
    dependencies.hooks.upgradePlan(context, cluster, extension, from),
  );
  const pendingHooks = dependencies.hooks.pending(cluster);
  const decided = await decideVersions({ blueprint, current, range, plan, pendingHooks }, (call) =>
    dependencies.hooks.ask(context, cluster, call),
  );
  scope.upgrade = decided.upgrade;
  scope.answers = decided.answers;
  // Record the pending hooks before anything else, so that they are called even if the process stops after a step.
  scope.cluster = await dependencies.hooks.note(context, cluster, decided.pendingHooks);

  const desired = computeDesiredState(blueprint, current, decided.versions, context.random);
  await dependencies.applyPatches(context, blueprint, cluster, desired);
  const { object } = desired.controlPlane;
  scope.controlPlane = { kind: object.kind, version: specVersionOf(object) };
  const after = await dependencies.hooks.afterwards(context, scope.cluster, decided.upgrade);
  scope.cluster = after.cluster;
  scope.answers = new Map([...decided.answers, ...after.answers]);
  await applyState(context, dependencies.cache, {
    blueprint,
    current: { ...current, cluster: scope.cluster },
    desired,
    upgrade: decided.upgrade,
  });
}

/** Returns the ClusterClass. Throws until its controller has reconciled it. */
function readClass({ sources }: ReconcileContext, cluster: ObservedCluster, { classRef }: Topology): ObservedClass {
  const namespace = classRef.namespace ?? cluster.metadata.namespace ?? '';
  const clusterClass = sources.sourceFor(clusterClasses).get({ namespace, name: classRef.name });
  if (clusterClass === undefined) {
    throw new ReconcileError('ClusterClassNotFound', `failed to retrieve ClusterClass ${namespace}/${classRef.name}`, {
      retry: 'onChange',
      remedy: 'create the ClusterClass, or reference another one in spec.topology.classRef',
    });
  }
  if (getCondition(clusterClass, 'VariablesReady')?.status !== 'True') {
    const text = 'status of VariablesReady condition on ClusterClass must be "True"';
    throw notReconciled(`ClusterClass is not successfully reconciled: ${text}`);
  }
  if (clusterClass.status?.observedGeneration !== clusterClass.metadata.generation)
    throw notReconciled(classNotReconciled);
  return clusterClass;
}

/** Returns the error for a ClusterClass that is not reconciled. A change of the class triggers the next reconcile. */
function notReconciled(message: string): ReconcileError {
  return new ReconcileError(topologyReasons.clusterClassNotReconciled, message, { retry: 'onChange' });
}

/** Writes the defaults of variables to the Cluster. Fails if another writer has changed the Cluster since it was read. */
function writeVariables(
  context: ReconcileContext,
  cluster: ObservedCluster,
  topology: Topology,
): Promise<ObservedCluster> {
  const { resourceVersion = '' } = cluster.metadata;
  const patch = {
    metadata: { resourceVersion },
    spec: { topology: cloneJson(topology) },
  } as unknown as MutableJsonObject;
  return context.change({
    verb: 'patch',
    resource: clusters,
    key: keyOf(cluster),
    body: { type: 'merge', patch },
    reason: 'VariablesDefaulted',
    message: 'Set the defaults of variables in spec.topology',
  });
}
