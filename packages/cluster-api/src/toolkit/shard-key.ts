import type { Frozen, KubeObject } from '@slipway/kube';
import { labels } from '../api/index.js';

const clusterGroup = 'cluster.x-k8s.io/';

/**
 * Returns the key of an object's Cluster: by its label, by its own name for a Cluster. Otherwise the key of the object itself.
 */
export function clusterKeyOf(object: Frozen<KubeObject>): string {
  const { namespace = '', name = '', labels: own = {} } = object.metadata;
  if (object.kind === 'Cluster' && object.apiVersion.startsWith(clusterGroup)) return `${namespace}/${name}`;
  const cluster = Object.hasOwn(own, labels.clusterName) ? own[labels.clusterName] : undefined;
  return `${namespace}/${cluster || name}`;
}
