import { deepEqual, type MutableJsonObject } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import { clusters, topologyAnnotations } from '../../api/index.js';
import { referenceTo } from '../desired/machine-deployment.js';
import type { CurrentState, DesiredState, ObservedCluster } from '../topology-state.js';
import { keyText, type TopologyWriter } from './topology-writer.js';

/** Writes onto the Cluster what the topology sets of it: labels, the step of an upgrade, and the references. */
export async function applyCluster(
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  writer: TopologyWriter,
  current: CurrentState,
  desired: DesiredState,
  options: { readonly hasControlPlane: boolean },
): Promise<void> {
  const { cluster } = current;
  const patch = clusterPatch(cluster, desired, options.hasControlPlane);
  if (Object.keys(patch).length === 0) return;
  const { namespace = '', name = '' } = cluster.metadata;
  await client.patch(clusters, { namespace, name }, { type: 'merge', patch }, { signal });
  writer.tell('TopologyUpdate', `Updated Cluster "${keyText(cluster)}"`);
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
