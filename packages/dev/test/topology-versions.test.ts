import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { condition, resources, startTopologyPlane, type TopologyPlane } from './topology-plane.js';

describe('a ClusterClass that references old versions of its templates', () => {
  let plane: TopologyPlane;

  beforeAll(async () => {
    plane = await startTopologyPlane();
    for (const [resource, object] of quickTemplates) await plane.create(resource, object);
    const text = JSON.stringify(clusterClass('old'));
    const old = text.replace(/(\w+\.cluster\.x-k8s\.io)\/v1beta2","kind":"(\w+Template)"/g, '$1/v1beta1","kind":"$2"');
    await plane.create(resources.clusterClasses, JSON.parse(old) as object);
  });
  afterAll(() => plane?.stop());

  it('reports the outdated versions in a condition', async () => {
    const reported = await plane.until(resources.clusterClasses, (found) =>
      found.find((object) => condition(object, 'RefVersionsUpToDate') !== undefined),
    );
    expect(condition(reported, 'RefVersionsUpToDate')).toMatchObject({
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

  it('creates the same objects by the contract of those versions, and does not change them afterwards', async () => {
    await plane.create(
      resources.clusters,
      cluster('o', 'old', { controlPlane: { replicas: 1, deletion: { nodeDrainTimeoutSeconds: 90 } } }),
    );
    await plane.conditionOf('o', { status: 'True' });
    const [controlPlane] = await plane.named(resources.kubeadmControlPlanes, 'o');
    const machineTemplates = await plane.named(resources.devMachineTemplates, 'o');
    const made = controlPlane?.['spec'] as
      | { machineTemplate: { spec: { infrastructureRef: { name: string } } } }
      | undefined;
    const spec = made?.machineTemplate.spec;
    expect(spec).toMatchObject({
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate' },
      deletion: { nodeDrainTimeoutSeconds: 90 },
    });
    expect(machineTemplates.map(({ metadata }) => metadata.name)).toContain(spec?.infrastructureRef.name);
    const { 'Cluster o': _cluster, ...before } = await plane.written('o');
    await plane.merge(resources.clusters, 'o', { metadata: { annotations: { poke: '1' } } });
    await plane.create(resources.clusters, cluster('marker', 'old'));
    await plane.conditionOf('marker', { status: 'True' });
    const { 'Cluster o': _same, ...after } = await plane.written('o');
    expect(after).toEqual(before);
  });
});
