import { describe, expect, it } from 'vitest';
import { type Ref, refKey } from './cluster.js';
import type { GraphNode, GraphView } from './graph.js';
import { objectsToDelete } from './objects-to-delete.js';

const ref = (kind: string): Ref => ({ group: '', kind, namespace: 'default', name: 'a' });
const node = (kind: string, parts: Record<string, Ref> = {}): GraphNode => ({
  ref: ref(kind),
  tone: 'good',
  text: '',
  role: 'part',
  parent: '',
  parts: Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, { ref: part, tone: 'good' as const, text: '' }]),
  ),
});

it('returns a cluster and its direct and indirect dependents, but no referenced objects', () => {
  const key = (kind: string): string => refKey(ref(kind));
  const kinds = ['Cluster', 'ControlPlane', 'ClusterClass'];
  const graph: GraphView = {
    nodes: {
      ...Object.fromEntries(kinds.map((kind) => [key(kind), node(kind)])),
      [key('Machine')]: node('Machine', { data: ref('Secret') }),
    },
    edges: {
      a: { from: key('Cluster'), to: key('ControlPlane'), kind: 'owns' },
      b: { from: key('ControlPlane'), to: key('Machine'), kind: 'controls' },
      c: { from: key('Cluster'), to: key('ClusterClass'), kind: 'refers' },
      // An ownership cycle must not cause an endless loop.
      d: { from: key('Machine'), to: key('Cluster'), kind: 'owns' },
    },
  };
  expect(objectsToDelete(graph, ref('Cluster')).map(({ kind }) => kind)).toEqual([
    'Cluster',
    'ControlPlane',
    'Machine',
    'Secret',
  ]);
});

describe('refKey', () => {
  it('returns different keys for different kinds', () => {
    expect(refKey(ref('A'))).not.toBe(refKey(ref('B')));
  });
});
