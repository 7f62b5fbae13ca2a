import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodes } from '@slipway/runtime';
import { clusters, labels } from '../src/index.js';
import { cluster, ClusterEnvironment, clusterKey, conditionText, node } from './support/cluster-environment.js';
import { testClusters } from './support/more-provider-kinds.js';
import { providerObject, testControlPlanes, testMachines } from './support/provider-kinds.js';

let environment: ClusterEnvironment;
beforeEach(async () => {
  environment = await ClusterEnvironment.start();
});
afterEach(() => environment.plane.stop());

describe('a cluster', () => {
  it('is created, reports every step, and is deleted without leftovers', async () => {
    await environment.createAll();
    const waiting = await environment.cluster((object) => conditionText(object, 'Available') !== '');
    expect(conditionText(waiting, 'InfrastructureReady')).toBe(
      'False NotReady: TestCluster status.initialization.provisioned is false',
    );
    await environment.bringUpCluster();
    const up = await environment.cluster();
    expect(up.status).toMatchObject({
      phase: 'Provisioned',
      observedGeneration: up.metadata.generation,
      initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
    });
    expect(up.spec.controlPlaneEndpoint).toEqual({ host: '10.0.0.1', port: 6443 });
    const machine = await environment.machine('cp', (object) => conditionText(object, 'Available').startsWith('True'));
    expect(machine.status).toMatchObject({ phase: 'Running', nodeRef: { name: 'cp' } });
    expect(machine.spec).toMatchObject({ providerID: 'test://cp', bootstrap: { dataSecretName: 'cp-data' } });

    await environment.client.delete(clusters, clusterKey);
    await environment.plane.untilGone(clusters, clusterKey);
    for (const resource of [testClusters, testControlPlanes]) {
      const { items } = await environment.client.list(resource);
      expect(items).toEqual([]);
    }
  });

  it('writes nothing without a change, even after a restart', async () => {
    await environment.createAll();
    const workload = await environment.bringUpCluster();
    // Wait for the grace period in which a machine may have no UpToDate condition.
    await environment.plane.clock.advance(11_000);
    const versions = async (): Promise<(string | undefined)[]> => {
      const objects = [
        await environment.cluster(),
        await environment.machine('cp'),
        await workload.get(nodes, nodeKey),
      ];
      return objects.map(({ metadata }) => metadata.resourceVersion);
    };
    const nodeKey = { namespace: '', name: 'cp' };
    const before = await versions();
    await environment.plane.clock.advance(11 * 60_000);
    expect(await versions()).toEqual(before);
    await environment.plane.restartControllers();
    await environment.plane.clock.advance(60_000);
    expect(await versions()).toEqual(before);
  });

  it('is rebuilt from its spec alone after a move, and starts when `paused: null` is written [14.43, 14.44]', async () => {
    const workload = await environment.plane.addWorkload(clusterKey);
    await workload.create(nodes, node('cp'));
    await environment.client.create(
      clusters,
      cluster(({ spec }) => {
        spec.paused = true;
        spec.controlPlaneEndpoint = { host: '10.0.0.1', port: 6443 };
      }),
    );
    await environment.client.create(testClusters, providerObject(testClusters, 'c', {}));
    await environment.client.create(testControlPlanes, providerObject(testControlPlanes, 'c', { replicas: 1 }));
    await environment.createMachine('cp', { [labels.controlPlane]: '' }, ({ spec }) => {
      spec.providerID = 'test://cp';
      spec.bootstrap.dataSecretName = 'cp-data';
    });
    await environment.patch(testMachines, 'cp', { spec: { providerID: 'test://cp' } });
    await environment.plane.settle();
    expect((await environment.machine('cp')).status?.phase, 'nothing happens while it is paused').toBeUndefined();
    await environment.patch(clusters, 'c', { spec: { paused: null } });
    for (const [resource, status] of [
      [testClusters, { initialization: { provisioned: true } }],
      [testControlPlanes, { initialization: { controlPlaneInitialized: true } }],
    ] as const)
      await environment.patchStatus(resource, 'c', status);
    await environment.patchStatus(testMachines, 'cp', { initialization: { provisioned: true } });
    const machine = await environment.machine('cp', (object) => object.status?.phase === 'Running');
    expect(machine.status).toMatchObject({
      nodeRef: { name: 'cp' },
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
    });
    const up = await environment.cluster((object) => conditionText(object, 'Available').startsWith('True'));
    expect(up.status?.phase).toBe('Provisioned');
  });
});
