import { expect, it } from 'vitest';
import { clusterKeyOf } from './shard-key.js';

it('gives one cluster and all its objects one shard key', () => {
  const metadata = { name: 'm', namespace: 'ns', labels: { 'cluster.x-k8s.io/cluster-name': 'c1' } };
  const cluster = {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Cluster',
    metadata: { name: 'c1', namespace: 'ns' },
  };
  expect(clusterKeyOf({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata })).toBe('ns/c1');
  expect(clusterKeyOf(cluster)).toBe('ns/c1');
  expect(clusterKeyOf({ apiVersion: 'v1', kind: 'Pool', metadata: { name: 'p' } })).toBe('/p');
});
