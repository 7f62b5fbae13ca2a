import { clusters } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { ObjectKey } from '@slipway/runtime';

/** The Cluster that owns an object of its infrastructure. */
export function ownerClusterKey({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey | undefined {
  const owner = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === clusters.kind && parseApiVersion(apiVersion).group === clusters.group,
  );
  return owner === undefined ? undefined : { namespace: metadata.namespace ?? '', name: owner.name };
}
