import type { ControllerConfiguration } from '@slipway/cluster-api';
import type { CustomResourceDefinition, Frozen, KubeObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';

/** An object with its resource. */
export interface PlacedObject {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/** The state of a management cluster, complete enough to simulate it. */
export interface ManagementState {
  readonly definitions: readonly Frozen<CustomResourceDefinition>[];
  readonly objects: readonly PlacedObject[];
  /** The configuration of the controllers. Without it, the simulation uses the defaults. */
  readonly configuration?: ControllerConfiguration;
}

/** Returns the prefix under which the store keeps the objects of a resource. */
export function storageResourceOf({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  return group === '' ? plural : `${group}/${plural}`;
}
