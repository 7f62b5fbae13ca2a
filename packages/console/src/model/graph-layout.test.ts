import { describe, expect, it } from 'vitest';
import type { GraphNode, GraphRole } from './graph.js';
import { placeNodes } from './graph-layout.js';

const node = (kind: string, role: GraphRole, parent: string, group = 'cluster.x-k8s.io'): GraphNode => ({
  ref: { group, kind, namespace: 'default', name: kind.toLowerCase() },
  tone: 'good',
  text: '',
  role,
  parent,
});

const cluster = {
  c: node('Cluster', 'cluster', ''),
  kcp: node('KubeadmControlPlane', 'part', 'c', 'controlplane.cluster.x-k8s.io'),
  md: node('MachineDeployment', 'part', 'c'),
  ms: node('MachineSet', 'set', 'md'),
  m1: node('Machine', 'machine', 'kcp'),
  m2: node('Machine', 'machine', 'kcp'),
  m3: node('Machine', 'machine', 'ms'),
  t: node('DevMachineTemplate', 'template', 'c'),
};

describe('placeNodes', () => {
  it('places nodes in columns by role, next to their owner, with templates in a separate column', () => {
    expect(Object.fromEntries(placeNodes(new Map(), cluster))).toEqual({
      c: { column: 0, row: 0 },
      kcp: { column: 1, row: 0 },
      m1: { column: 3, row: 0 },
      m2: { column: 3, row: 1 },
      md: { column: 1, row: 2 },
      ms: { column: 2, row: 2 },
      m3: { column: 3, row: 2 },
      t: { column: 4, row: 0 },
    });
  });

  it('keeps positions when nodes are added and removed, and gives each node its own', () => {
    const before = placeNodes(new Map(), cluster);
    const { m1: _gone, ...rest } = cluster;
    const after = placeNodes(before, {
      ...rest,
      m4: node('Machine', 'machine', 'kcp'),
      m5: node('Machine', 'machine', 'ms'),
    });
    for (const key of Object.keys(rest)) expect(after.get(key)).toEqual(before.get(key));
    expect(after.has('m1')).toBe(false);
    const taken = [...after.values()].map(({ column, row }) => `${column} ${row}`);
    expect(new Set(taken).size).toBe(taken.length);
  });
});
