import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterTree, conditionOf, nodeTitle, readCluster, type TreeNode } from '../src/index.js';
import { clusterManifests, ref } from './manifests.js';
import { startWorld, type World } from './world.js';

let world: World;
const key = { namespace: 'tree', name: 'demo' };

beforeAll(async () => {
  world = await startWorld();
  await world.create(...clusterManifests({ ...key, workers: 2 }));
  await world.until('it is available', async () => {
    const cluster = await world.get(ref('Cluster', key.namespace, key.name));
    return conditionOf(cluster, 'Available')?.status === 'True';
  });
});

afterAll(() => world?.stop());

describe('the tree of a cluster', () => {
  it('holds what belongs to it, and joins machines in the same state', async () => {
    const set = await readCluster(world.client, key);
    const tree = clusterTree(set, await world.get(ref('Cluster', key.namespace, key.name)));
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
