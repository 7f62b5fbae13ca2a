import { isReason, type KubeObject } from '@slipway/kube';
import {
  ensureOwnerReference,
  isOwnedBy,
  ownerReference,
  type ReconcileContext,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { carriedShim, clusterShim, shimName } from '../desired/cluster-shim.js';
import type { CurrentState, DesiredState } from '../topology-state.js';

/** Keeps the shim for as long as it is needed: from before the first object is made until the Cluster owns them all. */
export async function applyClusterShim(
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  current: CurrentState,
  desired: DesiredState,
): Promise<void> {
  const { cluster, infrastructureCluster, controlPlane } = current;
  const key = { namespace: cluster.metadata.namespace ?? '', name: shimName(cluster) };
  if (infrastructureCluster === undefined || controlPlane === undefined) {
    const shim = await existingOrNew();
    for (const object of [desired.infrastructureCluster, desired.controlPlane.object] as KubeObject[])
      ensureOwnerReference(object.metadata, ownerReference(shim));
    return;
  }
  const objects = [infrastructureCluster, controlPlane.object];
  const isOwned = objects.every((object) => isOwnedBy(object, cluster));
  if (!isOwned || objects.every((object) => carriedShim(object, cluster) === undefined)) return;
  try {
    await client.delete(secrets, key, { signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }

  async function existingOrNew(): Promise<Pick<Secret, 'apiVersion' | 'kind' | 'metadata'>> {
    try {
      return (await client.create(secrets, clusterShim(cluster), { signal })) as Secret;
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
      return (await client.get(secrets, key, { signal })) as Secret;
    }
  }
}
