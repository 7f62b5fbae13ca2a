import type { JsonObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';
import type { Placed, DesiredCluster } from '../objects/desired-cluster.js';

/** A change to one object, as a merge patch. */
export interface Edit {
  readonly resource: Resource;
  readonly name: string;
  readonly patch: JsonObject;
}

/** How users describe the desired state of a cluster: object by object, or as a managed topology. */
export interface ClusterForm {
  /** All objects of a new cluster in order of creation. */
  manifests(desired: DesiredCluster): readonly Placed[];
  scaleControlPlane(desired: DesiredCluster): readonly Edit[];
  scaleWorkers(desired: DesiredCluster): readonly Edit[];
  upgrade(desired: DesiredCluster): readonly Edit[];
  /** Returns the edits that reference the new machine template, which was created before. */
  changeTemplate(desired: DesiredCluster): readonly Edit[];
  /** Returns the objects that the user has to delete after the cluster, because nothing else deletes them. */
  readonly remains: (name: string) => readonly Pick<Edit, 'resource' | 'name'>[];
}
