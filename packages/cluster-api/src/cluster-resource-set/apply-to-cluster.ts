import { type Client, type ClusterCache, ClusterDisconnected, keyOf, type ReconcileContext } from '@slipway/runtime';
import type { Frozen } from '@slipway/kube';
import { type ClusterResourceSet, clusterResourceSetBindings } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import { applyObjects } from './apply-objects.js';
import { entryOf, needsApply, type ResourceEntry, resourceEntry, resourceEntryOf } from './binding.js';
import type { ReadResource } from './read-resources.js';
import type { SetProblem } from './set-conditions.js';
import { recordResults } from './write-binding.js';

export interface ApplyWorld {
  readonly context: ReconcileContext;
  readonly workloads: Pick<ClusterCache, 'client'>;
}

/** Brings what is not there yet to one cluster, and notes it in the cluster's binding. */
export async function applyToCluster(
  world: ApplyWorld,
  set: Frozen<ClusterResourceSet>,
  cluster: ObservedCluster,
  resources: readonly ReadResource[],
): Promise<readonly SetProblem[]> {
  const { context } = world;
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
  const client = await connect(world, cluster);
  if (!('create' in client)) {
    // The binding exists from the beginning: it tells which sets the cluster is to have.
    await recordResults(context, set, key, binding, []);
    return [client];
  }
  const results: ResourceEntry[] = [];
  const problems: SetProblem[] = [];
  for (const resource of due) {
    const { reference } = resource;
    const errors = await applyResource(world, client, strategy, resource);
    const hash = resource.state === 'ready' ? resource.payload.hash : '';
    results.push(resourceEntry(reference, { applied: errors.length === 0, hash, nowMs: context.clock.now() }));
    for (const why of errors) problems.push(applyProblem(cluster, why));
  }
  await recordResults(context, set, key, binding, results);
  return problems;
}

async function applyResource(
  { context }: ApplyWorld,
  client: Client,
  strategy: 'ApplyOnce' | 'Reconcile',
  resource: ReadResource,
): Promise<readonly string[]> {
  if (resource.state !== 'ready') return [resource.message];
  const errors = await applyObjects(client, strategy, resource.payload.objects, context.signal);
  const { kind, name } = resource.reference;
  return errors.map((error) => `${kind} ${name}: ${error.message}`);
}

async function connect({ workloads, context }: ApplyWorld, cluster: ObservedCluster): Promise<Client | SetProblem> {
  try {
    return await workloads.client(keyOf(cluster));
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
