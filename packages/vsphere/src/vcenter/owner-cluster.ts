import { clusters, ownerNameOf } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey } from '@slipway/runtime';

/** Returns the key of the Cluster that owns an infrastructure object. */
export function ownerClusterKey(object: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey | undefined {
  const name = ownerNameOf(clusters, object);
  return name === undefined ? undefined : { namespace: object.metadata.namespace ?? '', name };
}
