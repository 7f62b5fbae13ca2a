import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { addObjectMetrics } from './object-metrics.js';

it('reports creation, deletion and last reconcile of objects, and removes deleted ones', async () => {
  const registry = new Registry();
  const boat = (name: string, metadata: object): KubeObject => ({
    apiVersion: 'x.io/v1',
    kind: 'Boat',
    metadata: { namespace: 'n', name, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  });
  const all = [boat('a', {}), boat('b', { deletionTimestamp: '2026-01-01T00:01:00Z' })];
  const objects = {
    resource: { group: 'x.io', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true },
    list: () => all,
    lastReconciledMs: ({ metadata }: { readonly metadata: { readonly name?: string } }) =>
      metadata.name === 'a' ? 5_000 : undefined,
  };
  addObjectMetrics(registry, objects);
  addObjectMetrics(registry, objects);
  const first = await registry.metrics();
  expect(first).toContain('capi_boat_created{namespace="n",name="a"} 1767225600');
  expect(first).toContain('capi_boat_deletion_timestamp{namespace="n",name="b"} 1767225660');
  expect(first).toContain('capi_boat_last_reconciled{namespace="n",name="a"} 5');
  expect(first).not.toContain('last_reconciled{namespace="n",name="b"}');
  all.shift();
  expect(await registry.metrics()).not.toContain('name="a"');
});
