import { applyObjects, type ManagementState, readState } from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import { clusterManifests, ref } from '../../packages/insight/test/manifests.js';
import { untilCondition } from '../../packages/insight/test/situations.js';
import { startSimulatedPlane } from '../../packages/insight/test/simulated-plane.js';

const namespace = 'default';
/** Name of the planned Cluster. It occurs in no field name, so that objects can be renamed as text. */
export const original = 'fleetcluster';

/** Returns the manifest of one Cluster of the fleet. */
export function manifestOf(name: string, workers: number): KubeObject[] {
  return clusterManifests({ name, namespace, workers }) as KubeObject[];
}

/** Returns the objects of one running Cluster with its machines. */
async function oneCluster(workers: number): Promise<{ readonly state: ManagementState; readonly nowMs: number }> {
  const plane = await startSimulatedPlane();
  try {
    await applyObjects(plane.client, manifestOf(original, workers), { namespace });
    await untilCondition(plane, ref('Cluster', namespace, original), 'Available', 'True');
    await plane.advance(60_000);
    return { state: await readState(plane.client, { namespaces: [namespace] }), nowMs: plane.clock.now() };
  } finally {
    await plane.stop();
  }
}

/** Returns a fleet of running Clusters: one Cluster, and copies of it with their own names and uids. */
export async function fleetState(
  count: number,
  workers: number,
): Promise<{ readonly state: ManagementState; readonly nowMs: number }> {
  const { state, nowMs } = await oneCluster(workers);
  const [shared, own] = [true, false].map((isShared) =>
    state.objects.filter(({ object }) => (object.kind === 'Namespace') === isShared),
  );
  const objects = [...(shared ?? []), ...(own ?? [])];
  for (let index = 1; index < count; index += 1) {
    const text = String(index).padStart(8, '0');
    for (const { resource, object } of own ?? []) {
      const renamed = JSON.stringify(object)
        .replaceAll(original, `copy${index}`)
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g, `${text}$1`);
      objects.push({ resource, object: JSON.parse(renamed) as Frozen<KubeObject> });
    }
  }
  return { state: { ...state, objects }, nowMs };
}
