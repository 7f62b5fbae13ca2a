import type { Frozen, KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Plane } from '../testing/plane.js';
import { GarbageCollector } from './garbage-collector.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  for (const name of ['a', 'b']) await plane.namespace(name);
  const collector = plane.run(new GarbageCollector(plane));
  collector.start();
});

afterEach(() => plane.dispose());

describe('smoke', () => {
  it('collects', async () => {
    const owner = await plane.configMap('a', 'owner');
    await plane.configMap('a', 'dep', { ownerReferences: [ref(owner)] });
    await plane.settle();
    expect(plane.names('configmaps', 'a')).toEqual(['dep', 'owner']);
    await plane.client.delete({ group: '', version: 'v1', resource: 'configmaps' }, 'a', 'owner');
    await plane.settle();
    expect(plane.names('configmaps', 'a')).toEqual([]);
  });
});

function ref(owner: Frozen<KubeObject>) {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
  };
}
