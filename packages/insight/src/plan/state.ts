import type { CustomResourceDefinition, Frozen, KubeObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';

/** An object together with where it is served. */
export interface PlacedObject {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/** What was read of a management cluster: enough to go on with it elsewhere. */
export interface ManagementState {
  readonly definitions: readonly Frozen<CustomResourceDefinition>[];
  readonly objects: readonly PlacedObject[];
}

/** Where a store keeps the objects of a resource. */
export function storageResourceOf({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  return group === '' ? plural : `${group}/${plural}`;
}
