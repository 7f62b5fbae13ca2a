import { machineDeployments } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { type Client, configMaps, type Resource } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyObjects, forbiddenBy, type Plan, planStatus } from '../src/index.js';
import { planManifest } from '../src/plan/index.js';
import { clusterManifests, ref } from './manifests.js';
import { available, untilCondition } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

const namespace = 'default';
const shape = { name: 'demo', namespace, workers: 2 };
const nothing = { create: 0, replace: 0, update: 0, delete: 0 };

let plane: SimulatedPlane;

beforeAll(async () => {
  plane = await startSimulatedPlane();
  await applyObjects(plane.client, manifest(), { namespace });
  await untilCondition(plane, ref('Cluster', namespace, 'demo'), 'Available', 'True');
  await available(plane, { name: 'neighbour', namespace, workers: 1 });
  // Another Cluster, whose workers never become ready.
  const without = ['DevMachineTemplate/broken-workers'];
  await plane.create(...clusterManifests({ name: 'broken', namespace, workers: 3, without }));
  await untilCondition(plane, ref('Cluster', namespace, 'broken'), 'ControlPlaneInitialized', 'True');
});
afterAll(() => plane?.stop());

function manifest(change: (object: KubeObject) => object = (object) => object): KubeObject[] {
  return (clusterManifests(shape) as readonly KubeObject[]).map((object) => change(object) as KubeObject);
}

const workersOf = (spec: object) => (object: KubeObject) =>
  object.kind === 'MachineDeployment' ? { ...object, spec: { ...(object['spec'] as object), ...spec } } : object;

const plan = (objects: readonly KubeObject[], options: object = {}, client: Client = plane.client): Promise<Plan> =>
  planManifest(objects, {
    client,
    namespace,
    nowMs: plane.clock.now(),
    signal: AbortSignal.timeout(100_000),
    ...options,
  });

/** Wraps a client and counts its requests and the objects that they return. */
function counting(client: Client): { readonly client: Client; readonly counts: { requests: number; objects: number } } {
  const counts = { requests: 0, objects: 0 };
  const counted = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, given);
        if (name !== 'get' && name !== 'list') return answer;
        counts.requests += 1;
        return (answer as Promise<{ readonly items?: readonly unknown[] }>).then((found) => {
          const isOfClusters = (given[0] as Resource).kind !== 'CustomResourceDefinition';
          if (isOfClusters) counts.objects += found.items?.length ?? 1;
          return found;
        });
      };
    },
  });
  return { client: counted, counts };
}

describe('the scope of a plan', () => {
  it('reports only Clusters that the manifest touches', async () => {
    const made = await plan(manifest(workersOf({ replicas: 3 })));
    expect(made.summary).toEqual({ ...nothing, create: 1 });
    expect(made.isSettled).toBe(true);
    const clusters = [...made.machines, ...made.steps].map(({ cluster }) => cluster);
    expect(new Set(clusters)).toEqual(new Set(['demo']));
    expect(made.objects.map(({ name }) => name)).toEqual(['demo-workers']);
    expect(forbiddenBy(await plan(manifest(workersOf({ replicas: 1 }))), new Set(['create']))).toEqual([]);
  });

  it('is empty for a manifest without changes', async () => {
    const made = await plan(manifest());
    expect(made).toMatchObject({ summary: nothing, machines: [], objects: [], isSettled: true, simulatedSeconds: 0 });
  });

  it('contains the Clusters that use a changed template', async () => {
    const objects = manifest((object) =>
      object.kind === 'KubeadmConfigTemplate'
        ? { ...object, spec: { template: { spec: { format: 'cloud-config', users: [{ name: 'admin' }] } } } }
        : object,
    ).filter(({ kind }) => kind === 'KubeadmConfigTemplate');
    const made = await plan(objects);
    expect(made.objects).toEqual([{ outcome: 'update', kind: 'KubeadmConfigTemplate', namespace, name: 'demo' }]);
    expect(made.simulatedSeconds).toBeGreaterThan(0);
  });

  it('contains the same number of objects, independent of the number of other Clusters', async () => {
    const scaled = manifest(workersOf({ replicas: 3 }));
    const before = counting(plane.client);
    await plan(scaled, {}, before.client);
    for (let index = 0; index < 20; index += 1) {
      const [cluster, ...others] = clusterManifests({ name: `idle-${index}`, namespace }) as KubeObject[];
      const paused = { ...cluster, spec: { ...(cluster?.['spec'] as object), paused: true } };
      await plane.create(paused, ...others);
    }
    const after = counting(plane.client);
    await plan(scaled, {}, after.client);
    expect(after.counts).toEqual(before.counts);
  });

  it('contains the unused templates of a deleted Cluster', async () => {
    const [cluster] = manifest();
    const unused = { group: 'infrastructure.cluster.x-k8s.io', version: 'v1beta2', kind: 'DevMachineTemplate' };
    const { uid = '' } = (await plane.get(ref('Cluster', namespace, 'demo'))).metadata;
    await plane.create({
      apiVersion: `${unused.group}/${unused.version}`,
      kind: unused.kind,
      metadata: {
        name: 'demo-unused',
        namespace,
        ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'demo', uid }],
      },
      spec: { template: { spec: { backend: { inMemory: {} } } } },
    });
    const made = await plan(cluster === undefined ? [] : [cluster], { delete: true });
    expect(made.objects).toContainEqual({ outcome: 'delete', kind: unused.kind, namespace, name: 'demo-unused' });
    expect(made.objects.filter(({ name }) => !name.startsWith('demo'))).toEqual([]);
  });

  it('reports references to missing objects', async () => {
    const objects = (clusterManifests({ name: 'new', namespace, workers: 1 }) as readonly KubeObject[]).filter(
      ({ kind, metadata }) => !(kind === 'DevMachineTemplate' && metadata.name === 'new-workers'),
    );
    const made = await plan(objects);
    expect(made.missing).toEqual([
      {
        from: { group: 'cluster.x-k8s.io', kind: 'MachineDeployment', namespace, name: 'new-workers' },
        path: 'spec.template.spec.infrastructureRef',
        to: { group: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', namespace, name: 'new-workers' },
      },
    ]);
    expect(planStatus(made)).toBe('blocked');
    expect(planStatus(await plan(manifest()))).toBe('noChanges');
    expect(planStatus(await plan(manifest(workersOf({ replicas: 1 }))))).toBe('changes');
  });

  it('settles with a MachinePool', async () => {
    const made = await plan(pool);
    expect(made.unsettled).toEqual([]);
    expect(made.isSettled).toBe(true);
    await applyObjects(plane.client, pool, { namespace });
    await plane.advance(120_000);
    const scaled = await plan(manifest(workersOf({ replicas: 3 })));
    expect(scaled.unsettled).toEqual([]);
    expect(scaled.isSettled).toBe(true);
    expect(scaled.summary).toEqual({ ...nothing, create: 1 });
    // The bootstrap token of the pool is renewed meanwhile.
    expect(scaled.objects).toEqual([{ outcome: 'update', kind: 'MachineDeployment', namespace, name: 'demo-workers' }]);
  });

  it('uses the feature gates that the management cluster publishes', async () => {
    const { items } = await plane.client.list(machineDeployments, { namespace });
    expect(items.length).toBeGreaterThan(0);
    await plane.client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'kube-public', name: 'slipway-controllers' },
      data: { featureGates: 'MachinePool=false,ClusterTopology=false,GateOfTomorrow=true', settings: '{}' },
    } as KubeObject);
    const [cluster] = pool;
    await expect(
      plan([{ ...cluster, metadata: { ...cluster?.metadata, name: 'other' } } as KubeObject]),
    ).rejects.toThrow(/MachinePool/);
  });
});

const pool = [
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name: 'demo-pool', namespace },
    spec: {
      clusterName: 'demo',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'demo',
          version: 'v1.35.0',
          bootstrap: {
            configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'demo-pool' },
          },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachinePool', name: 'demo-pool' },
        },
      },
    },
  },
  {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: { name: 'demo-pool', namespace },
    spec: { format: 'cloud-config' },
  },
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'DevMachinePool',
    metadata: { name: 'demo-pool', namespace },
    spec: {},
  },
] as unknown as readonly KubeObject[];
