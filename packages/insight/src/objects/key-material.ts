import { flagAt, textAt } from '@slipway/cluster-api';
import { type ObjectRef, type Observed, refOf } from './object-ref.js';
import type { ObjectSet } from './object-set.js';

/** Purposes of the Secrets that controllers do not generate again, because the machines trust only the original. */
export const keyMaterial = ['ca', 'etcd', 'proxy', 'sa'] as const;

/** Returns the missing Secrets of a Cluster whose control plane kubeadm has initialized. */
export function missingSecrets(set: ObjectSet, cluster: Observed, purposes: readonly string[]): readonly ObjectRef[] {
  const { namespace, name } = refOf(cluster);
  const isKubeadm = textAt(cluster, 'spec', 'controlPlaneRef', 'kind') === 'KubeadmControlPlane';
  const isUp = flagAt(cluster, 'status', 'initialization', 'controlPlaneInitialized');
  if (!isKubeadm || !isUp || (cluster.metadata.deletionTimestamp ?? '') !== '') return [];
  return purposes
    .map((purpose) => ({ group: '', kind: 'Secret', namespace, name: `${name}-${purpose}` }))
    .filter((target) => set.get(target) === undefined);
}
