import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { condition, resources, startTopologyWorld, type TopologyWorld } from './topology-world.js';

describe('a class that names old versions of its templates', () => {
  let world: TopologyWorld;

  beforeAll(async () => {
    world = await startTopologyWorld();
    for (const [resource, object] of quickTemplates) await world.create(resource, object);
    const text = JSON.stringify(clusterClass('old'));
    const old = text.replace(/(\w+\.cluster\.x-k8s\.io)\/v1beta2","kind":"(\w+Template)"/g, '$1/v1beta1","kind":"$2"');
    await world.create(resources.clusterClasses, JSON.parse(old) as object);
  });
  afterAll(() => world?.stop());

  it('is told so', async () => {
    const told = await world.until(resources.clusterClasses, (found) =>
      found.find((object) => condition(object, 'RefVersionsUpToDate') !== undefined),
    );
    expect(condition(told, 'RefVersionsUpToDate')).toMatchObject({
      status: 'False',
      reason: 'RefVersionsNotUpToDate',
      message: [
        'The following templateRefs are not using the latest apiVersion:',
        '* DevClusterTemplate infrastructure: current: v1beta1, latest: v1beta2',
        '* KubeadmControlPlaneTemplate control-plane: current: v1beta1, latest: v1beta2',
        '* DevMachineTemplate control-plane-machine: current: v1beta1, latest: v1beta2',
        '* KubeadmConfigTemplate bootstrap: current: v1beta1, latest: v1beta2',
        '* DevMachineTemplate worker-machine: current: v1beta1, latest: v1beta2',
      ].join('\n'),
    });
  });

  it('makes the same objects, by the contract of those versions, and leaves them alone then', async () => {
    await world.create(
      resources.clusters,
      cluster('o', 'old', { controlPlane: { replicas: 1, deletion: { nodeDrainTimeoutSeconds: 90 } } }),
    );
    await world.conditionOf('o', { status: 'True' });
    const [controlPlane] = await world.named(resources.kubeadmControlPlanes, 'o');
    const machineTemplates = await world.named(resources.devMachineTemplates, 'o');
    const made = controlPlane?.['spec'] as
      | { machineTemplate: { spec: { infrastructureRef: { name: string } } } }
      | undefined;
    const spec = made?.machineTemplate.spec;
    expect(spec).toMatchObject({
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate' },
      deletion: { nodeDrainTimeoutSeconds: 90 },
    });
    expect(machineTemplates.map(({ metadata }) => metadata.name)).toContain(spec?.infrastructureRef.name);
    const { 'Cluster o': _cluster, ...before } = await world.written('o');
    await world.merge(resources.clusters, 'o', { metadata: { annotations: { poke: '1' } } });
    await world.create(resources.clusters, cluster('marker', 'old'));
    await world.conditionOf('marker', { status: 'True' });
    const { 'Cluster o': _same, ...after } = await world.written('o');
    expect(after).toEqual(before);
  });
});
