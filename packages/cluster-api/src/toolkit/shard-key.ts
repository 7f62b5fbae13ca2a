import type { Frozen, KubeObject } from '@slipway/kube';
import { labels } from '../api/index.js';

const clusterGroup = 'cluster.x-k8s.io/';

/** The cluster of an object, by label; the name of a Cluster; otherwise the object itself. */
export function clusterKeyOf(object: Frozen<KubeObject>): string {
  const { namespace = '', name = '', labels: own = {} } = object.metadata;
  if (object.kind === 'Cluster' && object.apiVersion.startsWith(clusterGroup)) return `${namespace}/${name}`;
  const cluster = Object.hasOwn(own, labels.clusterName) ? own[labels.clusterName] : undefined;
  return `${namespace}/${cluster || name}`;
}
