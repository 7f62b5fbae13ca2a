import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labels } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { type Conditioned, getCondition } from '@slipway/runtime';
import { cluster, clusterClass, quickTemplates } from './topology-manifests.js';
import { namespace, resources, startTopologyPlane, type TopologyPlane } from './topology-plane.js';

const condition = (object: Frozen<KubeObject> | undefined, type: string) =>
  object === undefined ? undefined : getCondition(object as Conditioned, type);

describe('the lifecycle of a cluster with a topology', () => {
  let plane: TopologyPlane;

  beforeAll(async () => {
    plane = await startTopologyPlane({}, 'all');
    for (const [resource, object] of quickTemplates) await plane.create(resource, object);
    await plane.create(resources.clusterClasses, clusterClass('quick'));
  });
  afterAll(() => plane?.stop());

  const until = (name: string, fits: (object: Frozen<KubeObject>) => boolean): Promise<Frozen<KubeObject>> =>
    plane.until(resources.clusters, (found) => found.find((object) => object.metadata.name === name && fits(object)));
  const machines = async (): Promise<readonly Frozen<KubeObject>[]> =>
    (await plane.list(resources.machines)).filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'life');

  it('creates the cluster', async () => {
    await plane.create(resources.clusters, cluster('life', 'quick'));
    const made = await until('life', (object) => condition(object, 'Available')?.status === 'True');
    expect(condition(made, 'TopologyReconciled')).toMatchObject({ status: 'True' });
    expect(await machines()).toHaveLength(2);
    await plane.until(resources.secrets, (found) =>
      found.some(({ metadata }) => metadata.name === 'life-shim') ? undefined : true,
    );
  });

  it('scales workers from the topology', async () => {
    const workers = { machineDeployments: [{ name: 'md-0', class: 'default-worker', replicas: 3 }] };
    await plane.merge(resources.clusters, 'life', { spec: { topology: { workers } } });
    await until(
      'life',
      (object) => (object['status'] as { workers?: { availableReplicas?: number } })?.workers?.availableReplicas === 3,
    );
    expect(await machines()).toHaveLength(4);
  });

  it('upgrades the control plane before the workers', { timeout: 120_000 }, async () => {
    await plane.merge(resources.clusters, 'life', { spec: { topology: { version: 'v1.36.0' } } });
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

  it('deletes everything', async () => {
    await plane.client.delete(resources.clusters, { namespace, name: 'life' });
    await plane.until(resources.clusters, (found) => (found.length === 0 ? true : undefined));
    const { clusterClasses: _classes, secrets: _secrets, events: _events, ...made } = resources;
    for (const resource of Object.values(made)) {
      const left = await plane.until(resource, (found) => {
        const own = found.filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'life');
        return own.length === 0 ? own : undefined;
      });
      expect(left).toEqual([]);
    }
  });
});
