import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Resource } from '@slipway/runtime';
import { clusters } from '../src/index.js';
import { ClusterWorld, clusterKey, conditionText } from './support/cluster-world.js';
import { testClusters } from './support/more-provider-kinds.js';
import { testControlPlanes } from './support/provider-kinds.js';

let world: ClusterWorld;
beforeEach(async () => {
  world = await ClusterWorld.start();
});
afterEach(() => world.plane.stop());

describe('a cluster', () => {
  it('comes up, tells every step, and goes away with nothing left', async () => {
    await world.createAll();
    const waiting = await world.cluster((object) => conditionText(object, 'Available') !== '');
    expect(conditionText(waiting, 'InfrastructureReady')).toBe(
      'False NotReady: TestCluster status.initialization.provisioned is false',
    );
    await world.bringUpCluster();
    const up = await world.cluster();
    expect(up.status).toMatchObject({
      phase: 'Provisioned',
      observedGeneration: up.metadata.generation,
      initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
    });
    expect(up.spec.controlPlaneEndpoint).toEqual({ host: '10.0.0.1', port: 6443 });
    const machine = await world.machine('cp', (object) => conditionText(object, 'Available').startsWith('True'));
    expect(machine.status).toMatchObject({ phase: 'Running', nodeRef: { name: 'cp' } });
    expect(machine.spec).toMatchObject({ providerID: 'test://cp', bootstrap: { dataSecretName: 'cp-data' } });

    await world.client.delete(clusters, clusterKey);
    await world.plane.untilGone(clusters as Resource, clusterKey);
    for (const resource of [testClusters, testControlPlanes]) {
      const { items } = await world.client.list(resource);
      expect(items).toEqual([]);
    }
  });
});
