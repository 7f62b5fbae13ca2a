import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labels } from '@slipway/cluster-api';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { namespace, resources, startTopologyPlane, type TopologyPlane } from './topology-plane.js';

describe('a topology with pools', () => {
  let plane: TopologyPlane;

  beforeAll(async () => {
    plane = await startTopologyPlane();
    for (const [resource, object] of quickTemplates) await plane.create(resource, object);
  });
  afterAll(() => plane?.stop());

  it('updates the objects of pools in place', async () => {
    const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
    await plane.create(resources.devMachinePoolTemplates, {
      apiVersion: infrastructure,
      kind: 'DevMachinePoolTemplate',
      metadata: { name: 'pool', namespace },
      spec: { template: { spec: { backend: { docker: { customImage: 'one' } } } } },
    });
    const { workers } = (clusterClass('pooled') as { spec: { workers: { machineDeployments: object[] } } }).spec;
    const machinePools = workers.machineDeployments.map((worker) => ({
      ...worker,
      class: 'pool',
      infrastructure: { templateRef: { apiVersion: infrastructure, kind: 'DevMachinePoolTemplate', name: 'pool' } },
    }));
    const variables = [{ name: 'image', required: true, schema: { openAPIV3Schema: { type: 'string' } } }];
    const selector = {
      apiVersion: infrastructure,
      kind: 'DevMachinePoolTemplate',
      matchResources: { machinePoolClass: { names: ['pool'] } },
    };
    const path = '/spec/template/spec/backend/docker/customImage';
    const patch = {
      op: 'replace',
      path,
      valueFrom: { template: '{{ .image }}-{{ .builtin.machinePool.topologyName }}' },
    };
    const patches = [{ name: 'images', definitions: [{ selector, jsonPatches: [patch] }] }];
    const spec = { workers: { ...workers, machinePools }, variables, patches };
    await plane.create(resources.clusterClasses, clusterClass('pooled', { spec }));
    const values = (value: string): object[] => [{ name: 'image', value }];
    const topology = {
      workers: { machinePools: [{ name: 'mp', class: 'pool', replicas: 2 }] },
      variables: values('a'),
    };
    await plane.create(resources.clusters, cluster('pools', 'pooled', topology));
    await plane.conditionOf('pools', { status: 'True' });
    const [pool] = await plane.named(resources.machinePools, 'pools');
    const [configuration] = await plane.named(resources.kubeadmConfigs, 'pools');
    const [machines] = await plane.named(resources.devMachinePools, 'pools');
    expect(pool).toMatchObject({
      metadata: { labels: { [labels.topologyPoolName]: 'mp' } },
      spec: {
        replicas: 2,
        template: {
          spec: {
            version: 'v1.35.0',
            bootstrap: { configRef: { kind: 'KubeadmConfig', name: configuration?.metadata.name } },
            infrastructureRef: { kind: 'DevMachinePool', name: machines?.metadata.name },
          },
        },
      },
    });
    expect(machines).toMatchObject({ spec: { backend: { docker: { customImage: 'a-mp' } } } });
    await plane.merge(resources.clusters, 'pools', { spec: { topology: { variables: values('b') } } });
    const changed = await plane.until(resources.devMachinePools, (found) =>
      found.find((object) => JSON.stringify(object['spec']).includes('"b-mp"')),
    );
    expect(changed.metadata.uid).toBe(machines?.metadata.uid);
  });
});
