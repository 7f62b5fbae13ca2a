import { cloneJson, type Frozen, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import { FencedError, ifPresent, keyOf, type ReconcileContext, type Resource } from '@slipway/runtime';
import { type ClusterResourceSet, clusterResourceSetBindings } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { type ClusterCache, ClusterDisconnected, type WorkloadCluster } from '../toolkit/index.js';
import { entryOf, needsApply, type ResourceEntry, resourceEntry, resourceEntryOf, type Strategy } from './binding.js';
import { planObjectPatch } from './object-patch.js';
import type { ReadResource } from './read-resources.js';
import type { SetProblem } from './set-conditions.js';
import { recordResults } from './write-binding.js';

/** The state of one reconcile of a ClusterResourceSet. */
export interface ApplyScope {
  readonly context: ReconcileContext;
  readonly workloads: Pick<ClusterCache, 'cluster'>;
}

type ObservedSet = Frozen<ClusterResourceSet>;

/** Applies pending resources to one cluster, and records the results in the cluster's binding. */
export async function applyToCluster(
  scope: ApplyScope,
  set: ObservedSet,
  cluster: ObservedCluster,
  resources: readonly ReadResource[],
): Promise<readonly SetProblem[]> {
  const { context } = scope;
  const key = keyOf(cluster);
  const binding = context.sources.sourceFor(clusterResourceSetBindings).get(key);
  const entry = entryOf(binding, set.metadata.name ?? '');
  const strategy = set.spec.strategy ?? 'ApplyOnce';
  const due = resources.filter(
    (resource) =>
      resource.state === 'invalid' ||
      (resource.state === 'ready' &&
        needsApply(strategy, resourceEntryOf(entry, resource.reference), resource.payload.hash)),
  );
  if (due.length === 0) {
    await recordResults(context, set, key, binding, []);
    return [];
  }
  const workload = await connect(scope, cluster);
  if ('kind' in workload) {
    // Create the binding before applying anything: it lists the sets that the cluster should have.
    await recordResults(context, set, key, binding, []);
    return [workload];
  }
  const results: ResourceEntry[] = [];
  const problems: SetProblem[] = [];
  for (const resource of due) {
    const { reference } = resource;
    const errors = await applyResource({ context, workload, set, strategy }, resource);
    const hash = resource.state === 'ready' ? resource.payload.hash : '';
    results.push(resourceEntry(reference, { applied: errors.length === 0, hash, nowMs: context.clock.now() }));
    for (const why of errors) problems.push(applyProblem(cluster, why));
  }
  await recordResults(context, set, key, binding, results);
  return problems;
}

async function connect(
  { workloads, context }: ApplyScope,
  cluster: ObservedCluster,
): Promise<WorkloadCluster | SetProblem> {
  try {
    return await workloads.cluster(keyOf(cluster));
  } catch (error) {
    if (!(error instanceof ClusterDisconnected)) throw error;
    context.logger.debug({ Cluster: keyOf(cluster), err: error }, 'Cluster is not connected');
    const { name = '' } = cluster.metadata;
    return { kind: 'not-connected', message: `Waiting for a connection to Cluster ${name}: ${error.message}` };
  }
}

function applyProblem(cluster: ObservedCluster, why: string): SetProblem {
  const { name = '' } = cluster.metadata;
  return { kind: 'apply-failed', message: `Failed to apply ClusterResourceSet resources to Cluster ${name}: ${why}` };
}

interface Target {
  readonly context: Pick<ReconcileContext, 'change' | 'signal'>;
  readonly workload: WorkloadCluster;
  readonly set: ObservedSet;
  readonly strategy: Strategy;
}

/** Applies every object of a resource, and continues after failures. Returns the error messages. */
async function applyResource(target: Target, resource: ReadResource): Promise<readonly string[]> {
  if (resource.state !== 'ready') return [resource.message];
  const { kind, name } = resource.reference;
  const errors: string[] = [];
  for (const object of resource.payload.objects) {
    try {
      await applyObject(target, object);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      errors.push(`${kind} ${name}: ${describe(object)}: ${why}`);
    }
  }
  return errors;
}

async function applyObject(target: Target, object: KubeObject): Promise<void> {
  const { context, workload, set, strategy } = target;
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await workload.read.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined) throw new Error(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
  if (resource.namespaced && (object.metadata.namespace ?? '') === '')
    throw new Error('the resource is namespaced: set metadata.namespace');
  if (strategy === 'Reconcile' && (await patchExisting(target, resource, object))) return;
  try {
    await context.change({
      verb: 'create',
      on: workload,
      resource,
      // Copy the object: it is also applied to other clusters, and the client takes ownership of what it sends.
      object: cloneJson(object) as KubeObject,
      reason: 'ResourceSetApplied',
      message: `Created ${describe(object)} of ClusterResourceSet ${set.metadata.name ?? ''}`,
    });
  } catch (error) {
    if (strategy === 'ApplyOnce' && isReason(error, 'AlreadyExists')) return;
    throw error;
  }
}

/** Patches an existing object. Returns false if the object does not exist. */
async function patchExisting(
  { context, workload, set }: Target,
  resource: Resource,
  object: KubeObject,
): Promise<boolean> {
  const namespace = resource.namespaced ? (object.metadata.namespace ?? '') : '';
  const key = { namespace, name: object.metadata.name ?? '' };
  const current = await ifPresent(workload.read.get(resource, key, { signal: context.signal }));
  if (current === undefined) return false;
  const patch = planObjectPatch(current, object);
  if (patch === undefined) return true;
  const message = `Updated ${describe(object)} to the content of ClusterResourceSet ${set.metadata.name ?? ''}`;
  const body = { type: 'merge', patch } as const;
  const change = { verb: 'patch', on: workload, resource, key, body, reason: 'ResourceSetChanged', message } as const;
  return (await ifPresent(context.change(change))) !== undefined;
}

function describe({ kind, metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
