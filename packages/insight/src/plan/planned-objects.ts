import { ipAddresses } from '@slipway/cluster-api';
import { clusterNameOf, type ObjectRef, type Observed, refKey, refOf, refText } from '../objects/index.js';
import type { PlanInput } from './plan-manifest.js';

/** An object that a plan is based on. */
export interface PlannedObject extends ObjectRef {
  readonly uid: string;
  /** The generation of the object. The API server increments it when the desired state changes, not when the status does. */
  readonly generation: number;
  /** `namespace/name` of the Cluster that the object belongs to. Absent for shared objects, such as templates. */
  readonly cluster?: string;
}

/** Kinds whose changes do not invalidate a plan: Secrets are rotated, and addresses belong to their machines. */
const otherKinds: ReadonlySet<string> = new Set(['Secret', 'ConfigMap', 'Namespace', ipAddresses.kind]);

export function plannedObjects({ state, unchanged }: Pick<PlanInput, 'state' | 'unchanged'>): PlannedObject[] {
  const found = new Map<string, PlannedObject>();
  for (const object of [...state.objects.map((placed) => placed.object), ...unchanged]) {
    if (!otherKinds.has(object.kind)) found.set(refKey(refOf(object)), plannedObject(object));
  }
  return [...found.values()];
}

function plannedObject(object: Observed): PlannedObject {
  const { uid = '', generation = 0, namespace = '' } = object.metadata;
  const cluster = clusterNameOf(object);
  return { ...refOf(object), uid, generation, ...(cluster !== undefined && { cluster: `${namespace}/${cluster}` }) };
}

/**
 * Returns the changes since the plan was made, as one text per object. `clusters` are the Clusters that the manifest affected at
 * that time. `before` does not contain the objects of other Clusters: for these, only the Cluster is listed.
 */
export function changesSince(
  before: readonly PlannedObject[],
  after: readonly PlannedObject[],
  clusters: readonly string[],
): string[] {
  const now = new Map(after.map((object) => [refKey(object), object]));
  const changed = before.flatMap((object) => {
    const current = now.get(refKey(object));
    now.delete(refKey(object));
    if (current === undefined) return [`${refText(object)} was deleted`];
    if (current.uid !== object.uid) return [`${refText(object)} was replaced`];
    return current.generation === object.generation ? [] : [`${refText(object)} was changed`];
  });
  const created = [...now.values()].map((object) => {
    const { cluster } = object;
    const isInScope = cluster === undefined || clusters.includes(cluster);
    return isInScope ? `${refText(object)} was created` : `Cluster ${cluster} is affected now`;
  });
  return [...changed, ...new Set(created)];
}
