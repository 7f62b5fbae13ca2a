import { deepEqual, isReason, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  ensureOwnerReference,
  isOwnedBy,
  keyOf,
  ownerReference,
  type ReconcileContext,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { clusters, topologyAnnotations } from '../../api/index.js';
import { carriedShim, clusterShim, shimName } from '../desired/cluster-shim.js';
import { referenceTo } from '../desired/machine-deployment.js';
import type { CurrentState, DesiredState, ObservedCluster } from '../topology-state.js';
import { keyText } from './topology-writer.js';

/** Writes the Cluster fields that the topology sets: labels, the step of an upgrade, and the references. */
export async function applyCluster(
  context: Pick<ReconcileContext, 'change'>,
  current: CurrentState,
  desired: DesiredState,
  options: { readonly hasControlPlane: boolean },
): Promise<void> {
  const { cluster } = current;
  const patch = clusterPatch(cluster, desired, options.hasControlPlane);
  if (Object.keys(patch).length === 0) return;
  const isNew = cluster.spec.infrastructureRef === undefined;
  await context.change({
    verb: 'patch',
    resource: clusters,
    key: keyOf(cluster),
    body: { type: 'merge', patch },
    reason: isNew ? 'TopologyCreated' : 'TopologyChanged',
    message: `Updated Cluster "${keyText(cluster)}"`,
    event: { about: cluster, type: 'Normal', reason: 'TopologyUpdate', action: 'Update' },
  });
}

function clusterPatch(cluster: ObservedCluster, desired: DesiredState, hasControlPlane: boolean): MutableJsonObject {
  const { labels = {}, annotations = {} } = cluster.metadata;
  const { upgradeStep } = desired.cluster;
  const metadata: MutableJsonObject = {};
  const missing = Object.entries(desired.cluster.labels).filter(([name, value]) => labels[name] !== value);
  if (missing.length > 0) metadata['labels'] = Object.fromEntries(missing);
  if (annotations[topologyAnnotations.upgradeStep] !== upgradeStep)
    metadata['annotations'] = { [topologyAnnotations.upgradeStep]: upgradeStep ?? null };
  const spec: MutableJsonObject = {};
  const infrastructureRef = referenceTo(desired.infrastructureCluster);
  if (!deepEqual(cluster.spec.infrastructureRef, infrastructureRef)) spec['infrastructureRef'] = infrastructureRef;
  const controlPlaneRef = referenceTo(desired.controlPlane.object);
  const isReferenced = hasControlPlane && !deepEqual(cluster.spec.controlPlaneRef, controlPlaneRef);
  if (isReferenced) spec['controlPlaneRef'] = controlPlaneRef;
  return {
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
}

type ShimContext = Pick<ReconcileContext, 'read' | 'change' | 'signal'>;

/** Creates the shim Secret before the first object is created, and deletes it when the Cluster owns all objects. */
export async function applyClusterShim(
  context: ShimContext,
  current: CurrentState,
  desired: DesiredState,
): Promise<void> {
  const { cluster, infrastructureCluster, controlPlane } = current;
  if (infrastructureCluster === undefined || controlPlane === undefined) {
    const shim = await ensureShim(context, cluster);
    for (const object of [desired.infrastructureCluster, desired.controlPlane.object] as KubeObject[])
      ensureOwnerReference(object.metadata, ownerReference(shim));
    return;
  }
  const objects = [infrastructureCluster, controlPlane.object];
  const isOwned = objects.every((object) => isOwnedBy(object, cluster));
  if (!isOwned || objects.every((object) => carriedShim(object, cluster) === undefined)) return;
  const message = `Deleted Secret ${shimName(cluster)}: the Cluster owns its infrastructure and control plane`;
  await context.change({ verb: 'delete', resource: secrets, key: shimKey(cluster), reason: 'ShimUnused', message });
}

async function ensureShim(
  context: ShimContext,
  cluster: ObservedCluster,
): Promise<Pick<Secret, 'apiVersion' | 'kind' | 'metadata'>> {
  const message = `Created Secret ${shimName(cluster)} to own the objects of the cluster temporarily`;
  const change = { verb: 'create', resource: secrets, object: clusterShim(cluster) } as const;
  try {
    return (await context.change({ ...change, reason: 'TopologyCreated', message })) as Secret;
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return (await context.read.get(secrets, shimKey(cluster), { signal: context.signal })) as Secret;
  }
}

function shimKey(cluster: ObservedCluster): { readonly namespace: string; readonly name: string } {
  return { namespace: cluster.metadata.namespace ?? '', name: shimName(cluster) };
}
