import { describe, expect, it } from 'vitest';
import { readManifest, scopeOf } from './manifest.js';

describe('a manifest', () => {
  it('is any number of documents, with lists taken apart', () => {
    const item = (name: string): string => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${name}"}}`;
    const text = `${item('a')}\n---\n\n---\napiVersion: v1\nkind: List\nitems: [${item('b')}, ${item('c')}]\n`;
    expect(readManifest(text, 'x.yaml').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  });

  const bad = [
    { name: 'no object', text: '- a\n', says: 'x.yaml, document 1: it is no object' },
    { name: 'no kind', text: 'a: 1\n', says: 'x.yaml, document 1: apiVersion and kind are missing' },
    {
      name: 'no name',
      text: 'kind: A\napiVersion: v1\nmetadata: {}\n',
      says: 'x.yaml, document 1: metadata.name is missing',
    },
    { name: 'no YAML', text: 'a: [', says: /^x\.yaml: / },
  ];
  it.each(bad)('with $name says where', ({ text, says }) => {
    expect(() => readManifest(text, 'x.yaml')).toThrow(says);
  });
});

describe('what a manifest can touch', () => {
  const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a' } };
  const deployment = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'd', namespace: 'other' },
    spec: { clusterName: 'b' },
  };
  const template = { apiVersion: 'x/v1', kind: 'FooTemplate', metadata: { name: 't' } };

  it('is the Clusters that its objects name', () => {
    const scope = scopeOf([cluster, deployment], 'default');
    expect(scope).toEqual({ namespaces: ['default', 'other'], clusters: new Set(['default/a', 'other/b']) });
  });

  it('is every Cluster of the namespace for what any may use', () => {
    expect(scopeOf([cluster, template], 'default')).toEqual({ namespaces: ['default'] });
  });
});
