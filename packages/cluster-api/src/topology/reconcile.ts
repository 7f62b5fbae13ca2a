import { cloneJson, type Frozen, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  done,
  FencedError,
  getCondition,
  isDeleting,
  isPaused,
  type ObjectKey,
  type Outcome,
  ReconcileError,
  type ReconcileContext,
  retry,
  terminal,
  wait,
  type Watch,
} from '@slipway/runtime';
import { type Cluster, clusterClasses, clusters, topologyReasons } from '../api/index.js';
import { applyState } from './apply/apply-state.js';
import type { NoOpCache } from './apply/no-op-cache.js';
import { readBlueprint } from './blueprint.js';
import { specVersionOf } from './control-plane-fields.js';
import { readCurrentState } from './current-state.js';
import { computeDesiredState } from './desired/desired-state.js';
import { retryAfterSeconds } from './hook-messages.js';
import type { TopologyHooks } from './topology-hooks.js';
import type { ApplyPatches } from './patches/apply-patches.js';
import { classNotReconciled, type TopologyOutcome } from './topology-condition.js';
import type { ObservedClass, ObservedCluster, Topology } from './topology-state.js';
import { writeTopologyStatus } from './topology-status.js';
import { decideVersions } from './upgrade/decide-versions.js';
import { makePlan } from './upgrade/make-plan.js';
import { upgradeRange } from './upgrade/upgrade-plan.js';
import { withVariables } from './variables.js';

/** What a topology needs beside the API server. */
export interface TopologyPorts {
  readonly cache: NoOpCache;
  readonly hooks: TopologyHooks;
  readonly applyPatches: ApplyPatches;
  /** Which Clusters a provider's object concerns. */
  readonly map: Watch['map'];
  readonly kubeletVersion: (cluster: ObjectKey, node: string) => Promise<string | undefined>;
}

type Progress = { -readonly [Key in keyof TopologyOutcome]: TopologyOutcome[Key] };

/** Makes the objects of a Cluster what its topology says, and tells in a condition how far that has come. */
export async function reconcileTopology(
  key: ObjectKey,
  context: ReconcileContext,
  ports: TopologyPorts,
): Promise<Outcome> {
  const cluster = context.sources.sourceFor(clusters).get(key);
  const topology = cluster?.spec.topology;
  if (cluster === undefined || topology === undefined) return done();
  const progress: Progress = { cluster, answers: new Map() };
  const outcome = await attempt(context, ports, progress, topology);
  if (context.signal.aborted) return outcome;
  try {
    await writeTopologyStatus(context, progress);
    return outcome;
  } catch (error) {
    // What went wrong before is what somebody has to know of.
    if (progress.error === undefined || error instanceof FencedError) throw error;
    context.logger.warn({ err: error }, 'Writing the condition of the topology failed');
    return outcome;
  }
}

/** Does what there is to do; how it ended stands in `progress` as well, for the condition. */
async function attempt(
  context: ReconcileContext,
  ports: TopologyPorts,
  progress: Progress,
  topology: Topology,
): Promise<Outcome> {
  const { cluster } = progress;
  try {
    if (isPaused(cluster as Frozen<KubeObject>, cluster)) return done();
    if (isDeleting(cluster as Frozen<KubeObject>)) progress.answers = await ports.hooks.beforeDelete(context, cluster);
    else await reconcileNormal(context, ports, progress, topology);
    const seconds = retryAfterSeconds(progress.answers);
    if (seconds === 0) return done();
    return wait({ ms: seconds * 1_000, reason: 'LifecycleHookBlocking', message: 'an extension asks to wait' });
  } catch (error) {
    if (error instanceof FencedError) throw error;
    progress.error = error instanceof Error ? error : new Error(String(error));
    return outcomeOf(progress.error);
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
  ports: TopologyPorts,
  progress: Progress,
  given: Topology,
): Promise<void> {
  const clusterClass = readClass(context, progress.cluster, given);
  const topology = withVariables(given, clusterClass);
  if (topology !== given) progress.cluster = await writeVariables(context, progress.cluster, topology);
  const { cluster } = progress;

  const blueprint = await readBlueprint(context, clusterClass, topology, ports.map);
  const clusterKey = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
  const kubeletVersion = (node: string): Promise<string | undefined> => ports.kubeletVersion(clusterKey, node);
  const reading = { sources: context.sources, follow: context.follow.bind(context), map: ports.map, kubeletVersion };
  const current = await readCurrentState(reading, cluster, blueprint);

  progress.answers = await ports.hooks.beforeCreate(context, cluster);
  if (retryAfterSeconds(progress.answers) > 0) return;

  const range = upgradeRange(current, topology.version);
  const plan = await makePlan(range, clusterClass, (extension, from) =>
    ports.hooks.upgradePlan(context, cluster, extension, from),
  );
  const pendingHooks = ports.hooks.pending(cluster);
  const decided = await decideVersions({ blueprint, current, range, plan, pendingHooks }, (call) =>
    ports.hooks.ask(context, cluster, call),
  );
  progress.upgrade = decided.upgrade;
  progress.answers = decided.answers;
  // Noted before anything is written: what follows a step is not forgotten when we are interrupted after it.
  progress.cluster = await ports.hooks.note(context, cluster, decided.pendingHooks);

  const desired = computeDesiredState(blueprint, current, decided.versions, context.random);
  await ports.applyPatches(context, blueprint, cluster, desired);
  const { object } = desired.controlPlane;
  progress.controlPlane = { kind: object.kind, version: specVersionOf(object) };
  const after = await ports.hooks.afterwards(context, progress.cluster, decided.upgrade);
  progress.cluster = after.cluster;
  progress.answers = new Map([...decided.answers, ...after.answers]);
  await applyState(context, ports.cache, {
    blueprint,
    current: { ...current, cluster: progress.cluster },
    desired,
    upgrade: decided.upgrade,
  });
}

/** The class, once its own controller has looked at all of it. */
function readClass({ sources }: ReconcileContext, cluster: ObservedCluster, { classRef }: Topology): ObservedClass {
  const namespace = classRef.namespace ?? cluster.metadata.namespace ?? '';
  const clusterClass = sources.sourceFor(clusterClasses).get({ namespace, name: classRef.name });
  if (clusterClass === undefined) {
    throw new ReconcileError('ClusterClassNotFound', `failed to retrieve ClusterClass ${namespace}/${classRef.name}`, {
      retry: 'onChange',
      remedy: 'create the ClusterClass, or name another in spec.topology.classRef',
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

/** The class says when it is ready; until then there is nothing to do. */
function notReconciled(message: string): ReconcileError {
  return new ReconcileError(topologyReasons.clusterClassNotReconciled, message, { retry: 'onChange' });
}

/** Writes defaults of variables onto the Cluster, unless somebody changed it meanwhile. */
async function writeVariables(
  { client, signal }: ReconcileContext,
  cluster: ObservedCluster,
  topology: Topology,
): Promise<ObservedCluster> {
  const { namespace = '', name = '', resourceVersion = '' } = cluster.metadata;
  const patch = {
    metadata: { resourceVersion },
    spec: { topology: cloneJson(topology) },
  } as unknown as MutableJsonObject;
  return client.patch<Cluster>(clusters, { namespace, name }, { type: 'merge', patch }, { signal });
}
