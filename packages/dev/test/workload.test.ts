import { nodes, pods } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, DevPlane } from './dev-plane.js';

describe('a simulated cluster', () => {
  let plane: DevPlane;
  beforeAll(async () => {
    plane = await DevPlane.start();
  });
  afterAll(() => plane.stop());

  it('comes up with its first control plane machine', async () => {
    const { workload } = await plane.startCluster('first');
    const node = await workload.get(nodes, { namespace: '', name: 'first-cp-1' });
    expect(node.spec?.providerID).toBe('in-memory://first-cp-1');
    expect(conditionOf(node, 'Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    expect(node.spec?.taints).toEqual([{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]);
    const { items } = await workload.list(pods, { namespace: 'kube-system' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'etcd-first-cp-1',
      'kube-apiserver-first-cp-1',
      'kube-controller-manager-first-cp-1',
      'kube-scheduler-first-cp-1',
    ]);
  });
});
