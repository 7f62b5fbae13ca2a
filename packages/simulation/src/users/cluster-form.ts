import type { JsonObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';
import type { Placed, WantedCluster } from './manifests.js';

/** A change to one object, as a merge patch. */
export interface Edit {
  readonly resource: Resource;
  readonly name: string;
  readonly patch: JsonObject;
}

/** How users write down what they want of a cluster: object by object, or as a topology of a class. */
export interface ClusterForm {
  /** All that a new cluster takes, in the order in which it is created. */
  manifests(wanted: WantedCluster): readonly Placed[];
  scaleControlPlane(wanted: WantedCluster): readonly Edit[];
  scaleWorkers(wanted: WantedCluster): readonly Edit[];
  upgrade(wanted: WantedCluster): readonly Edit[];
  /** After the new machine template was created. */
  changeTemplate(wanted: WantedCluster): readonly Edit[];
  /** What nobody but its user takes away once the cluster is gone. */
  readonly remains: (name: string) => readonly Pick<Edit, 'resource' | 'name'>[];
}
