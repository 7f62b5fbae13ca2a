import { type Frozen, isReason, type KubeObject, parseTime } from '@slipway/kube';
import {
  ClusterDisconnected,
  done,
  edit,
  isDeleting,
  keyOf,
  mapToOwner,
  type Outcome,
  removeFinalizer,
  wait,
} from '@slipway/runtime';
import { finalizers, machinePools, reasons } from '../api/index.js';
import { failureMessage, type ObjectReference, resolveKind } from '../contract/index.js';
import type { PoolPass } from './pool-pass.js';
import { deleteNodes } from './reconcile-nodes.js';

/** Deletes what providers made for the pool, then its Nodes; the pool itself is let go when all of it is gone. */
export async function deletePool(pass: PoolPass): Promise<Outcome> {
  try {
    return await deleteParts(pass);
  } catch (error) {
    pass.blockedBy = failureMessage(error);
    throw error;
  }
}

async function deleteParts(pass: PoolPass): Promise<Outcome> {
  const left = await deleteProviderObjects(pass);
  if (left.length > 0) return blocked(pass, `Waiting for ${left.join(' and ')} to be deleted`);
  const why = await deleteItsNodes(pass);
  if (why !== undefined) return blocked(pass, why.message, why.ms);
  pass.pool = edit(pass.pool, ({ metadata }) => removeFinalizer(metadata, finalizers.machinePool));
  return done();
}

function blocked(pass: PoolPass, message: string, ms?: number): Outcome {
  pass.blockedBy = message;
  return wait({ reason: reasons.deleting, message, ...(ms === undefined ? {} : { ms }) });
}

/** Gives what is still there. */
async function deleteProviderObjects(pass: PoolPass): Promise<string[]> {
  const { bootstrap, infrastructureRef } = pass.pool.spec.template.spec;
  const references = [bootstrap.configRef, infrastructureRef].filter((reference) => reference !== undefined);
  const left = await Promise.all(references.map((reference) => deleteProviderObject(pass, reference)));
  return left.filter((text) => text !== undefined);
}

async function deleteProviderObject(
  { context, pool }: PoolPass,
  reference: ObjectReference,
): Promise<string | undefined> {
  const { client, sources, signal } = context;
  const { resource } = resolveKind(sources, reference);
  await context.follow({ resource, map: mapToOwner(machinePools) });
  const key = { namespace: pool.metadata.namespace ?? '', name: reference.name };
  try {
    const object: Frozen<KubeObject> = await client.get(resource, key, { signal });
    const gone = !isDeleting(object) && (await client.delete(resource, key, { signal })) === undefined;
    return gone ? undefined : `${reference.kind} ${reference.name}`;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Undefined when no Node is left, or none has to be waited for. */
async function deleteItsNodes(pass: PoolPass): Promise<{ message: string; ms?: number } | undefined> {
  const { cluster, pool, context } = pass;
  const references = pool.status?.nodeRefs ?? [];
  if (references.length === 0) return undefined;
  const skipped = whyNodesAreKept(pass);
  if (skipped !== undefined || cluster === undefined) {
    context.logger.info({ reason: skipped }, 'Deleting the Nodes of the pool is skipped');
    context.events.record(pool, { type: 'Normal', reason: 'NodeDeletionSkipped', message: skipped ?? '' });
    return undefined;
  }
  try {
    const client = await pass.tools.workloads.client(keyOf(cluster));
    await deleteNodes(pass, client, references, () => true);
    return undefined;
  } catch (error) {
    if (!(error instanceof ClusterDisconnected)) throw error;
    const ms = timeoutLeftMs(pass);
    const message = `Waiting for the Nodes of the pool to be deleted: ${error.message}`;
    return ms === undefined ? { message } : { message, ms };
  }
}

/** With its cluster a Node goes anyway, and after some time nobody waits for one any more. */
function whyNodesAreKept(pass: PoolPass): string | undefined {
  const { cluster } = pass;
  if (cluster === undefined) return 'the Cluster does not exist';
  if (isDeleting(cluster)) return 'the Cluster is being deleted';
  const left = timeoutLeftMs(pass);
  return left !== undefined && left <= 0 ? 'nodeDeletionTimeoutSeconds has passed' : undefined;
}

function timeoutLeftMs({ pool, nowMs }: PoolPass): number | undefined {
  const seconds = pool.spec.template.spec.deletion?.nodeDeletionTimeoutSeconds ?? 0;
  if (seconds === 0) return undefined;
  return parseTime(pool.metadata.deletionTimestamp ?? '') + seconds * 1000 - nowMs;
}
