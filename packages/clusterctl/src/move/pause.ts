import { annotations, clusterClasses, clusters } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  hasAnnotation,
  ifPresent,
  type ObjectKey,
  type RequestOptions,
  type Resource,
} from '@slipway/runtime';

/** Whether a pause of this kind also applies to its dependents. */
export function isPausable({ group, kind }: Pick<Resource, 'group' | 'kind'>): boolean {
  return group === clusters.group && (kind === clusters.kind || kind === clusterClasses.kind);
}

export function isAtRest(object: Frozen<KubeObject>): boolean {
  if (object.kind === clusterClasses.kind) return hasAnnotation(object, annotations.paused);
  const { spec } = object as { spec?: { paused?: boolean } };
  return spec?.paused === true;
}

/** Pauses or unpauses a Cluster or ClusterClass. Unpausing removes the field, as upstream (subtle behaviour 44). */
export async function setPaused(
  client: Client,
  resource: Resource,
  key: ObjectKey,
  paused: boolean,
  options: RequestOptions,
): Promise<void> {
  const patch =
    resource.kind === clusterClasses.kind
      ? { metadata: { annotations: { [annotations.paused]: paused ? 'true' : null } } }
      : { spec: { paused: paused ? true : null } };
  // Ignore objects that no longer exist.
  await ifPresent(client.patch(resource, key, { type: 'merge', patch }, options));
}
