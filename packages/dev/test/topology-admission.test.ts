import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { condition, namespace, resources, startTopologyPlane, type TopologyPlane } from './topology-plane.js';

describe('admission of ClusterClasses and topologies', () => {
  let plane: TopologyPlane;

  beforeAll(async () => {
    plane = await startTopologyPlane();
    for (const [resource, object] of quickTemplates) await plane.create(resource, object);
    for (const name of ['quick', 'variable']) await plane.create(resources.clusterClasses, clusterClass(name));
    for (const name of ['c', 'u']) await plane.create(resources.clusters, cluster(name, 'quick'));
    await plane.create(resources.clusters, cluster('v', 'variable'));
    for (const name of ['c', 'u', 'v']) await plane.conditionOf(name, { status: 'True' });
  });
  afterAll(() => plane?.stop());

  it('reports that a ClusterClass does not exist', async () => {
    await plane.create(resources.clusters, cluster('classless', 'nowhere'));
    expect(await plane.conditionOf('classless', { reason: 'ReconcileFailed' })).toMatchObject({
      status: 'False',
      message: expect.stringContaining('failed to retrieve ClusterClass topologies/nowhere') as string,
    });
  });

  it.each([
    [
      'worker',
      { workers: { machineDeployments: [{ name: 'md', class: 'none' }] } },
      'MachineDeployment class none not found',
    ],
    ['variable', { variables: [{ name: 'x', value: 1 }] }, 'variable is not defined in the ClusterClass'],
  ])('reports conflicts with a ClusterClass that was created later: a %s', async (name, topology, message) => {
    await plane.create(resources.clusters, cluster(`bad-${name}`, `later-${name}`, topology));
    await plane.create(resources.clusterClasses, clusterClass(`later-${name}`));
    const reported = await plane.until(resources.clusters, (found) => {
      const object = found.find(({ metadata }) => metadata.name === `bad-${name}`);
      const text = object === undefined ? '' : condition(object, 'TopologyReconciled')?.message;
      return text?.includes(message) === true ? text : undefined;
    });
    expect(reported).toContain(message);
  });

  it.each([
    [
      'of a worker class that its class has not',
      { workers: { machineDeployments: [{ name: 'md', class: 'none' }] } },
      'MachineDeploymentClass with name "none" does not exist in ClusterClass',
    ],
    ['with an undefined variable', { variables: [{ name: 'x', value: 1 }] }, 'variable is not defined'],
  ])('rejects a Cluster %s', async (_name, topology, message) => {
    await expect(plane.create(resources.clusters, cluster('refused', 'quick', topology))).rejects.toThrow(message);
  });

  it('rejects a version that skips a minor version, or that is set during another upgrade', async () => {
    const to = (version: string): Promise<void> =>
      plane.merge(resources.clusters, 'u', { spec: { topology: { version } } });
    await expect(to('v1.38.0')).rejects.toThrow('one minor version at a time');
    await expect(to('v1.34.0')).rejects.toThrow('version cannot be decreased');
    const [controlPlane] = await plane.named(resources.kubeadmControlPlanes, 'u');
    const reports = (version: string): Promise<void> =>
      plane.merge(
        resources.kubeadmControlPlanes,
        controlPlane?.metadata.name ?? '',
        { status: { versions: [{ version, replicas: 1 }] } },
        'status',
      );
    await reports('v1.34.9');
    await expect(to('v1.36.0')).rejects.toThrow(
      'version cannot be changed while an upgrade is in progress: KubeadmControlPlane',
    );
    await reports('v1.35.0');
    await to('v1.36.0');
  });

  it('does not delete a ClusterClass, or remove parts of it, while Clusters use them', async () => {
    const removed = { spec: { workers: null } };
    await expect(plane.merge(resources.clusterClasses, 'variable', removed)).rejects.toThrow(
      'class "default-worker" cannot be deleted because it is used by Clusters',
    );
    const key = { namespace, name: 'variable' };
    await expect(plane.client.delete(resources.clusterClasses, key)).rejects.toThrow(
      'ClusterClass cannot be deleted because it is used by 1 Cluster(s)',
    );
    await plane.client.delete(resources.clusters, { namespace, name: 'v' });
    await plane.until(resources.clusters, (found) =>
      found.some(({ metadata }) => metadata.name === 'v') ? undefined : true,
    );
    await plane.client.delete(resources.clusterClasses, key);
  });

  it('allows another ClusterClass only when it creates objects of the same kinds', async () => {
    await plane.create(resources.clusterClasses, clusterClass('same'));
    const templateRef = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'OtherTemplate', name: 'x' };
    await plane.create(
      resources.clusterClasses,
      clusterClass('other', { controlPlane: { machineInfrastructure: { templateRef } } }),
    );
    const to = (name: string): Promise<void> =>
      plane.merge(resources.clusters, 'c', { spec: { topology: { classRef: { name } } } });
    await expect(to('other')).rejects.toThrow('kind cannot be changed from "DevMachineTemplate" to "OtherTemplate"');
    const before = await plane.written('c');
    await plane.until(resources.clusterClasses, (found) =>
      found.find((object) => object.metadata.name === 'same' && condition(object, 'VariablesReady') !== undefined),
    );
    await to('same');
    await plane.until(resources.clusters, (found) =>
      found.find(
        (object) =>
          object.metadata.name === 'c' &&
          condition(object, 'TopologyReconciled')?.observedGeneration === object.metadata.generation,
      ),
    );
    // The class has the same templates under another name, so no object is re-created.
    expect(Object.keys(await plane.written('c')).sort()).toEqual(Object.keys(before).sort());
  });
});
