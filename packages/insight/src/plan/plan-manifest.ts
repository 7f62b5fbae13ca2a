import { clusterClasses, readConfiguration } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { type Client, ifPresent } from '@slipway/runtime';
import { type Observed, refKey, refOf } from '../objects/index.js';
import { applyObjects, deleteObjects, fieldManager, place } from './apply-objects.js';
import { topologyGate } from './controller-choices.js';
import { missingReferences } from './missing-references.js';
import { emptyPlan, type Plan, planOf } from './plan.js';
import { KindCatalog } from './scope/kind-catalog.js';
import { readClusters } from './scope/read-clusters.js';
import { type ManifestObject, touchedClusters } from './scope/touched-clusters.js';
import { isUnchanged } from './scope/unchanged.js';
import type { ManagementState } from './state.js';
import { type PlanProgress, whatIf } from './what-if.js';

export interface PlanOnStateOptions {
  readonly nowMs: number;
  /** The value of `--feature-gates`. Overrides the gates of the management cluster. */
  readonly featureGates?: string;
  readonly forceConflicts?: boolean;
  /** Whether to plan the deletion of the objects instead of applying them. */
  readonly delete?: boolean;
  /** Limit of the simulation in real time. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: PlanProgress) => void;
  readonly signal?: AbortSignal;
}

interface ReadForPlanOptions {
  /** Namespace of objects without metadata.namespace. */
  readonly namespace: string;
  readonly delete?: boolean;
  readonly signal: AbortSignal;
}

export interface PlanManifestOptions extends PlanOnStateOptions, ReadForPlanOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The input of a plan. It is plain data and can be sent to another thread. */
export interface PlanInput {
  /** The objects of the Clusters that the manifest affects, and everything that they reference. */
  readonly state: ManagementState;
  /** The objects of the manifest that differ from their state in the management cluster. */
  readonly objects: readonly KubeObject[];
  /** The objects in the management cluster that the manifest contains and does not change. */
  readonly unchanged: readonly Observed[];
  /** Keys of referenced objects that exist but are not part of `state`. */
  readonly known: readonly string[];
  /** `namespace/name` of the Clusters that the manifest affects. */
  readonly clusters: readonly string[];
}

/** Plans to apply or delete the objects. Writes nothing to the management cluster. */
export async function planManifest(objects: readonly KubeObject[], options: PlanManifestOptions): Promise<Plan> {
  options.onProgress?.({ phase: 'reading' });
  return planOnState(await readForPlan(options.client, objects, options), options);
}

/**
 * Reads the part of a management cluster that a plan of the objects needs: the Clusters that the objects affect, and the objects
 * that those reference. The number of requests does not depend on the number of other Clusters.
 */
export async function readForPlan(
  client: Client,
  objects: readonly KubeObject[],
  options: ReadForPlanOptions,
): Promise<PlanInput> {
  const { namespace, signal, delete: isDelete = false } = options;
  const request = { signal };
  const [catalog, manifest, configuration] = await Promise.all([
    KindCatalog.read(client, request),
    readLive(client, objects, namespace, signal),
    readConfiguration(client, request),
  ]);
  const isTouched = ({ object, live }: ManifestObject): boolean =>
    isDelete ? live !== undefined : live === undefined || !isUnchanged(object, live, fieldManager);
  const touched = manifest.filter(isTouched);
  const unchanged = manifest.flatMap((each) => (each.live === undefined || isTouched(each) ? [] : [each.live]));
  const clusters = await touchedClusters(catalog, touched);
  const { objects: found, known } = await readClusters(catalog, clusters, {
    touched: touched.flatMap(({ live }) => live ?? []),
    planned: touched.map(({ object }) => object),
    unchanged: isDelete ? [] : unchanged,
    isDelete,
  });
  return {
    state: { definitions: catalog.definitions, objects: found, ...(configuration && { configuration }) },
    objects: touched.map(({ object }) => object),
    unchanged: isDelete ? [] : unchanged,
    known,
    clusters: [...clusters].sort(),
  };
}

async function readLive(
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
  signal: AbortSignal,
): Promise<readonly ManifestObject[]> {
  return Promise.all(
    objects.map(async (given) => {
      const { resource, key, object } = await place(client, given, namespace);
      return { object, live: await ifPresent(client.get(resource, key, { signal })) };
    }),
  );
}

/** Simulates a plan on a state that was read before, possibly in another thread. */
export async function planOnState(input: PlanInput, options: PlanOnStateOptions): Promise<Plan> {
  const { state, objects, unchanged } = input;
  const { nowMs, forceConflicts = false, signal } = options;
  const known = new Set([...input.known, ...state.objects.map(({ object }) => refKey(refOf(object)))]);
  if (objects.length === 0)
    return { ...emptyPlan, missing: missingReferences(unchanged, known), clusters: input.clusters };
  const run = await whatIf({
    state,
    nowMs,
    featureGates: gatesOf(input, options.featureGates ?? ''),
    ...(options.timeoutMs !== undefined && { limits: { timeoutMs: options.timeoutMs } }),
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(signal && { signal }),
    change: async (fork) => {
      if (options.delete === true) await deleteObjects(fork, objects, { namespace: '' });
      else await applyObjects(fork, objects, { namespace: '', forceConflicts });
    },
  });
  for (const object of [...run.objects, ...objects]) known.add(refKey(refOf(object)));
  const missing = missingReferences([...run.objects, ...unchanged], known);
  return { ...planOf(run, missing), clusters: input.clusters };
}

/**
 * Returns the feature gates. If the management cluster does not publish its configuration, a manifest with ClusterClasses enables
 * their controllers.
 */
function gatesOf({ state, objects }: PlanInput, chosen: string): string {
  const hasClass = objects.some(({ kind }) => kind === clusterClasses.kind);
  const isAssumed = state.configuration === undefined && hasClass;
  return [...(isAssumed ? [topologyGate] : []), chosen].filter((text) => text !== '').join(',');
}
