import { expect, it } from 'vitest';
import type { Resource } from '../client/index.js';
import type { InformerFactory } from '../informer/index.js';
import { informerSources } from './informer-sources.js';

const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const factory = { informer: () => ({}) } as unknown as InformerFactory;

it('reports that an informer of one namespace does not cover others', () => {
  const one = informerSources(factory, { defaults: { namespace: 'one' } });
  expect(one.sourceFor(pods).holds?.({ namespace: 'one', name: 'a' })).toBe(true);
  expect(one.sourceFor(pods).holds?.({ namespace: 'two', name: 'a' })).toBe(false);
  expect(one.sourceFor(nodes)).not.toHaveProperty('holds');
  expect(informerSources(factory).sourceFor(pods)).not.toHaveProperty('holds');
});
