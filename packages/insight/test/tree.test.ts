import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterTree, conditionOf, nodeTitle, readCluster, type TreeNode } from '../src/index.js';
import { clusterManifests, ref } from './manifests.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

let plane: SimulatedPlane;
const key = { namespace: 'tree', name: 'demo' };

beforeAll(async () => {
  plane = await startSimulatedPlane();
  await plane.create(...clusterManifests({ ...key, workers: 2 }));
  await plane.until('it is available', async () => {
    const cluster = await plane.get(ref('Cluster', key.namespace, key.name));
    return conditionOf(cluster, 'Available')?.status === 'True';
  });
});

afterAll(() => plane?.stop());

describe('clusterTree', () => {
  it('contains the objects of the cluster, and groups machines in the same state', async () => {
    const set = await readCluster(plane.client, key);
    const tree = clusterTree(set, await plane.get(ref('Cluster', key.namespace, key.name)));
    expect(outline(tree)).toEqual([
      'Cluster tree/demo',
      ' DevCluster tree/demo',
      ' KubeadmControlPlane tree/demo, v1.35.0',
      expect.stringMatching(/^ {2}Machine tree\/demo-\w{5}, v1.35.0$/),
      ' Workers',
      '  MachineDeployment tree/demo-workers, v1.35.0',
      '   2 Machines...',
    ]);
  });
});

function outline(node: TreeNode, depth = 0): string[] {
  return [' '.repeat(depth) + nodeTitle(node), ...node.children.flatMap((child) => outline(child, depth + 1))];
}
