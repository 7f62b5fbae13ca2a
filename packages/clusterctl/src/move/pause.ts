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

/** The kinds whose pause holds everything below them. */
export function isPausable({ group, kind }: Pick<Resource, 'group' | 'kind'>): boolean {
  return group === clusters.group && (kind === clusters.kind || kind === clusterClasses.kind);
}

export function isAtRest(object: Frozen<KubeObject>): boolean {
  if (object.kind === clusterClasses.kind) return hasAnnotation(object, annotations.paused);
  const { spec } = object as { spec?: { paused?: boolean } };
  return spec?.paused === true;
}

/** Holds a Cluster or class, or lets it go on: then the field is taken away, as upstream does (subtle behaviour 44). */
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
  // One that is gone needs no rest.
  await ifPresent(client.patch(resource, key, { type: 'merge', patch }, options));
}
