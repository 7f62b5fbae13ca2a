import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { condition, namespace, resources, startTopologyWorld, type TopologyWorld } from './topology-world.js';

describe('what is admitted of classes and topologies', () => {
  let world: TopologyWorld;

  beforeAll(async () => {
    world = await startTopologyWorld();
    for (const [resource, object] of quickTemplates) await world.create(resource, object);
    for (const name of ['quick', 'variable']) await world.create(resources.clusterClasses, clusterClass(name));
    for (const name of ['c', 'u']) await world.create(resources.clusters, cluster(name, 'quick'));
    await world.create(resources.clusters, cluster('v', 'variable'));
    for (const name of ['c', 'u', 'v']) await world.conditionOf(name, { status: 'True' });
  });
  afterAll(() => world?.stop());

  it('says that a class is not there', async () => {
    await world.create(resources.clusters, cluster('classless', 'nowhere'));
    expect(await world.conditionOf('classless', { reason: 'ReconcileFailed' })).toMatchObject({
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
  ])('says what does not fit a class that came later: a %s', async (name, topology, message) => {
    await world.create(resources.clusters, cluster(`bad-${name}`, `later-${name}`, topology));
    await world.create(resources.clusterClasses, clusterClass(`later-${name}`));
    const told = await world.until(resources.clusters, (found) => {
      const object = found.find(({ metadata }) => metadata.name === `bad-${name}`);
      const text = object === undefined ? '' : condition(object, 'TopologyReconciled')?.message;
      return text?.includes(message) === true ? text : undefined;
    });
    expect(told).toContain(message);
  });

  it.each([
    [
      'of a worker class that its class has not',
      { workers: { machineDeployments: [{ name: 'md', class: 'none' }] } },
      'MachineDeploymentClass with name "none" does not exist in ClusterClass',
    ],
    ['with a variable that nobody defined', { variables: [{ name: 'x', value: 1 }] }, 'variable is not defined'],
  ])('admits no Cluster %s', async (_name, topology, message) => {
    await expect(world.create(resources.clusters, cluster('refused', 'quick', topology))).rejects.toThrow(message);
  });

  it('admits no version that is too far, or that comes too early', async () => {
    const to = (version: string): Promise<void> =>
      world.merge(resources.clusters, 'u', { spec: { topology: { version } } });
    await expect(to('v1.38.0')).rejects.toThrow('one minor version at a time');
    await expect(to('v1.34.0')).rejects.toThrow('version cannot be decreased');
    const [controlPlane] = await world.named(resources.kubeadmControlPlanes, 'u');
    const reports = (version: string): Promise<void> =>
      world.merge(
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

  it('keeps a class and what is used of it for as long as Clusters use it', async () => {
    const removed = { spec: { workers: null } };
    await expect(world.merge(resources.clusterClasses, 'variable', removed)).rejects.toThrow(
      'class "default-worker" cannot be deleted because it is used by Clusters',
    );
    const key = { namespace, name: 'variable' };
    await expect(world.client.delete(resources.clusterClasses, key)).rejects.toThrow(
      'ClusterClass cannot be deleted because it is used by 1 Cluster(s)',
    );
    await world.client.delete(resources.clusters, { namespace, name: 'v' });
    await world.until(resources.clusters, (found) =>
      found.some(({ metadata }) => metadata.name === 'v') ? undefined : true,
    );
    await world.client.delete(resources.clusterClasses, key);
  });

  it('takes another class only when that makes objects of the same kinds', async () => {
    await world.create(resources.clusterClasses, clusterClass('same'));
    const templateRef = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'OtherTemplate', name: 'x' };
    await world.create(
      resources.clusterClasses,
      clusterClass('other', { controlPlane: { machineInfrastructure: { templateRef } } }),
    );
    const to = (name: string): Promise<void> =>
      world.merge(resources.clusters, 'c', { spec: { topology: { classRef: { name } } } });
    await expect(to('other')).rejects.toThrow('kind cannot be changed from "DevMachineTemplate" to "OtherTemplate"');
    const before = await world.written('c');
    await world.until(resources.clusterClasses, (found) =>
      found.find((object) => object.metadata.name === 'same' && condition(object, 'VariablesReady') !== undefined),
    );
    await to('same');
    await world.until(resources.clusters, (found) =>
      found.find(
        (object) =>
          object.metadata.name === 'c' &&
          condition(object, 'TopologyReconciled')?.observedGeneration === object.metadata.generation,
      ),
    );
    // The same templates by another name: nothing is made anew.
    expect(Object.keys(await world.written('c')).sort()).toEqual(Object.keys(before).sort());
  });
});
