import { parseTime } from '@slipway/kube';
import {
  done,
  edit,
  ifPresent,
  isDeleting,
  keyOf,
  mapToOwner,
  type Outcome,
  removeFinalizer,
  wait,
} from '@slipway/runtime';
import { finalizers, machinePools, reasons } from '../api/index.js';
import { failureMessage, type ObjectReference, resolveKind } from '../contract/index.js';
import { nameOf } from '../machines/index.js';
import { ClusterDisconnected } from '../toolkit/index.js';
import { deleteNodes } from './nodes.js';
import type { PoolScope } from './pool-scope.js';

/** Deletes the provider objects of the pool, then its Nodes, and removes the finalizer when all of them are deleted. */
export async function deletePool(scope: PoolScope): Promise<Outcome> {
  try {
    return await deleteParts(scope);
  } catch (error) {
    scope.blockedBy = failureMessage(error);
    throw error;
  }
}

async function deleteParts(scope: PoolScope): Promise<Outcome> {
  const left = await deleteProviderObjects(scope);
  if (left.length > 0) return blocked(scope, `Waiting for ${left.join(' and ')} to be deleted`);
  const why = await deleteItsNodes(scope);
  if (why !== undefined) return blocked(scope, why.message, why.ms);
  scope.pool = edit(scope.pool, ({ metadata }) => removeFinalizer(metadata, finalizers.machinePool));
  return done();
}

function blocked(scope: PoolScope, message: string, ms?: number): Outcome {
  scope.blockedBy = message;
  return wait({ reason: reasons.deleting, message, ...(ms === undefined ? {} : { ms }) });
}

/** Deletes the provider objects of the pool. Returns those that still exist. */
async function deleteProviderObjects(scope: PoolScope): Promise<string[]> {
  const { bootstrap, infrastructureRef } = scope.pool.spec.template.spec;
  const references = [bootstrap.configRef, infrastructureRef].filter((reference) => reference !== undefined);
  const left = await Promise.all(references.map((reference) => deleteProviderObject(scope, reference)));
  return left.filter((text) => text !== undefined);
}

async function deleteProviderObject(
  { context, pool }: PoolScope,
  reference: ObjectReference,
): Promise<string | undefined> {
  const { read, sources, signal } = context;
  const { resource } = resolveKind(sources, reference);
  await context.follow({ resource, map: mapToOwner(machinePools) });
  const key = { namespace: pool.metadata.namespace ?? '', name: reference.name };
  const object = await ifPresent(read.get(resource, key, { signal }));
  if (object === undefined) return undefined;
  const what = `${reference.kind} ${reference.name}`;
  if (isDeleting(object)) return what;
  const message = `Deleted ${what} because MachinePool ${nameOf(pool)} is being deleted`;
  const left = await context.change({ verb: 'delete', resource, key, reason: 'MachinePoolDeleted', message });
  return left === undefined ? undefined : what;
}

/** Deletes the Nodes of the pool. Returns what the deletion waits for, or undefined if it waits for no Node. */
async function deleteItsNodes(scope: PoolScope): Promise<{ message: string; ms?: number } | undefined> {
  const { cluster, pool, context } = scope;
  const references = pool.status?.nodeRefs ?? [];
  if (references.length === 0) return undefined;
  const skipped = whyNodesAreKept(scope);
  if (skipped !== undefined || cluster === undefined) {
    context.logger.info({ reason: skipped }, 'Skipping Node deletion of the MachinePool');
    context.events.record(pool, { type: 'Normal', reason: 'NodeDeletionSkipped', message: skipped ?? '' });
    return undefined;
  }
  try {
    const workload = await scope.dependencies.workloads.cluster(keyOf(cluster));
    await deleteNodes(scope, workload, references, { reason: 'MachinePoolDeleted', isObsolete: () => true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ClusterDisconnected)) throw error;
    const ms = timeoutLeftMs(scope);
    const message = `Waiting for the Nodes of the pool to be deleted: ${error.message}`;
    return ms === undefined ? { message } : { message, ms };
  }
}

/** Returns why Nodes are not deleted: they are deleted with their cluster, or the deletion timeout has passed. */
function whyNodesAreKept(scope: PoolScope): string | undefined {
  const { cluster } = scope;
  if (cluster === undefined) return 'the Cluster does not exist';
  if (isDeleting(cluster)) return 'the Cluster is being deleted';
  const left = timeoutLeftMs(scope);
  return left !== undefined && left <= 0 ? 'nodeDeletionTimeoutSeconds has passed' : undefined;
}

function timeoutLeftMs({ pool, nowMs }: PoolScope): number | undefined {
  const seconds = pool.spec.template.spec.deletion?.nodeDeletionTimeoutSeconds ?? 0;
  if (seconds === 0) return undefined;
  return parseTime(pool.metadata.deletionTimestamp ?? '') + seconds * 1000 - nowMs;
}
