import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import type { LoopbackClient } from '../../registry/index.js';
import { type ControllerDependencies, endpointSlices, isTerminating, storageOf, thaw } from '../shared/index.js';
import { managedByLabel, serviceNameLabel } from './service-objects.js';

/** The EndpointSlices that one controller manages for one service. */
export interface SliceSet {
  readonly namespace: string;
  /** Name of the owning service. */
  readonly name: string;
  readonly manager: string;
}

export function isManagedBy(slice: Frozen<KubeObject>, manager: string): boolean {
  return slice.metadata.labels?.[managedByLabel] === manager;
}

/**
 * Writes the desired slices: keeps existing ones that are up to date, updates others to the missing content, and deletes the
 * rest.
 */
export async function syncSlices(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  set: SliceSet,
  desired: readonly KubeObject[],
): Promise<void> {
  const present = dependencies.store
    .list({ resource: storageOf(endpointSlices), namespace: set.namespace })
    .map(({ object }) => object)
    .filter((slice) => belongsTo(slice, set) && !isTerminating(slice));
  const missing = desired.filter((one) => {
    const index = present.findIndex((slice) => isSameSlice(slice, one));
    if (index >= 0) present.splice(index, 1);
    return index < 0;
  });
  for (const one of missing) {
    const reused = present.findIndex((slice) => slice['addressType'] === one['addressType']);
    const [slice] = reused < 0 ? [] : present.splice(reused, 1);
    if (slice === undefined) await client.create(one);
    else await client.update(withContent(slice, one));
  }
  for (const slice of present) await client.delete(endpointSlices, set.namespace, slice.metadata.name ?? '');
}

function belongsTo(slice: Frozen<KubeObject>, { name, manager }: SliceSet): boolean {
  return isManagedBy(slice, manager) && slice.metadata.labels?.[serviceNameLabel] === name;
}

function withContent(slice: Frozen<KubeObject>, desired: KubeObject): KubeObject {
  const next = thaw(slice);
  const { labels = {}, ownerReferences = [] } = desired.metadata;
  Object.assign(next.metadata, { labels, ownerReferences });
  return Object.assign(next, { endpoints: desired['endpoints'], ports: desired['ports'] });
}

function isSameSlice(slice: Frozen<KubeObject>, desired: KubeObject): boolean {
  return (
    slice['addressType'] === desired['addressType'] &&
    deepEqual(slice['endpoints'] ?? [], desired['endpoints']) &&
    deepEqual(slice['ports'] ?? [], desired['ports']) &&
    deepEqual(slice.metadata.labels, desired.metadata.labels) &&
    deepEqual(slice.metadata.ownerReferences, desired.metadata.ownerReferences)
  );
}
