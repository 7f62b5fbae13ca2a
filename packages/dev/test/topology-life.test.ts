import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labels } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { type Conditioned, getCondition } from '@slipway/runtime';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { namespace, resources, startTopologyWorld, type TopologyWorld } from './topology-world.js';

const condition = (object: Frozen<KubeObject> | undefined, type: string) =>
  object === undefined ? undefined : getCondition(object as Conditioned, type);

describe('the life of a cluster with a topology', () => {
  let world: TopologyWorld;

  beforeAll(async () => {
    world = await startTopologyWorld({}, 'all');
    for (const [resource, object] of quickTemplates) await world.create(resource, object);
    await world.create(resources.clusterClasses, clusterClass('quick'));
  });
  afterAll(() => world?.stop());

  const until = (name: string, fits: (object: Frozen<KubeObject>) => boolean): Promise<Frozen<KubeObject>> =>
    world.until(resources.clusters, (found) => found.find((object) => object.metadata.name === name && fits(object)));
  const machines = async (): Promise<readonly Frozen<KubeObject>[]> =>
    (await world.list(resources.machines)).filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'life');

  it('begins', async () => {
    await world.create(resources.clusters, cluster('life', 'quick'));
    const made = await until('life', (object) => condition(object, 'Available')?.status === 'True');
    expect(condition(made, 'TopologyReconciled')).toMatchObject({ status: 'True' });
    expect(await machines()).toHaveLength(2);
    await world.until(resources.secrets, (found) =>
      found.some(({ metadata }) => metadata.name === 'life-shim') ? undefined : true,
    );
  });

  it('scales workers from the topology', async () => {
    const workers = { machineDeployments: [{ name: 'md-0', class: 'default-worker', replicas: 3 }] };
    await world.merge(resources.clusters, 'life', { spec: { topology: { workers } } });
    await until(
      'life',
      (object) => (object['status'] as { workers?: { availableReplicas?: number } })?.workers?.availableReplicas === 3,
    );
    expect(await machines()).toHaveLength(4);
  });

  it('upgrades, the control plane first', { timeout: 120_000 }, async () => {
    await world.merge(resources.clusters, 'life', { spec: { topology: { version: 'v1.36.0' } } });
    await until('life', (object) => condition(object, 'TopologyReconciled')?.reason === 'ClusterUpgrading');
    await until('life', (object) => condition(object, 'TopologyReconciled')?.status === 'True');
    const versions = (object: Frozen<KubeObject>, part: string): unknown =>
      (object['status'] as Record<string, { versions?: unknown }>)[part]?.versions;
    const done = await until('life', (object) =>
      deepEqual(versions(object, 'workers'), [{ version: 'v1.36.0', replicas: 3 }]),
    );
    expect(versions(done, 'controlPlane')).toEqual([{ version: 'v1.36.0', replicas: 1 }]);
    const running = (await machines()).map((object) => (object['spec'] as { version: string }).version);
    expect(new Set(running)).toEqual(new Set(['v1.36.0']));
  });

  it('ends with nothing left', async () => {
    await world.client.delete(resources.clusters, { namespace, name: 'life' });
    await world.until(resources.clusters, (found) => (found.length === 0 ? true : undefined));
    const { clusterClasses: _classes, secrets: _secrets, events: _events, ...made } = resources;
    for (const resource of Object.values(made)) {
      const left = await world.until(resource, (found) => {
        const own = found.filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'life');
        return own.length === 0 ? own : undefined;
      });
      expect(left).toEqual([]);
    }
  });
});
