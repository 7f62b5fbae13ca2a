import { createHash } from 'node:crypto';
import type { Frozen, KubeObject } from '@slipway/kube';

const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';
const clusterKind = 'Cluster';
const clusterGroup = 'cluster.x-k8s.io/';

/** The cluster an object belongs to, by its label; a Cluster by its own name; anything else stands for itself. */
export function clusterKeyOf(object: Frozen<KubeObject>): string {
  const { namespace = '', name = '', labels = {} } = object.metadata;
  if (object.kind === clusterKind && object.apiVersion.startsWith(clusterGroup)) return `${namespace}/${name}`;
  const cluster = Object.hasOwn(labels, clusterNameLabel) ? labels[clusterNameLabel] : undefined;
  return `${namespace}/${cluster || name}`;
}

const hashesMax = 50_000;
const hashes = new Map<string, number>();

/** The shard of a key: the same in every process and every release, so that two never disagree. */
export function shardOf(key: string, shards: number): number {
  let hash = hashes.get(key);
  if (hash === undefined) {
    hash = createHash('sha256').update(key).digest().readUInt32BE(0);
    if (hashes.size >= hashesMax) hashes.clear();
    hashes.set(key, hash);
  }
  return hash % shards;
}
