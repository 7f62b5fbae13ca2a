import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { clusters, machines } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, notFound } from '@slipway/kube';
import { reconcileInfrastructureMachine } from '@slipway/provider-kit';
import {
  ChangeExecutor,
  type Client,
  type ObjectKey,
  type ReconcileContext,
  type Resource,
  type Sources,
} from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { devClusters, devFinalizers, devMachines } from '../api/index.js';
import { WorkloadClusters } from '../workload/index.js';
import { devMachineDefinition } from './controller.js';

const namespace = 'default';
const clusterKey = { namespace, name: 'c' };
const machineKey = { namespace, name: 'm' };
const group = devMachines.group;

const provisioning = { startupDuration: '30s' };
const devMachine: Frozen<KubeObject> = {
  apiVersion: `${group}/v1beta2`,
  kind: 'DevMachine',
  metadata: {
    ...machineKey,
    uid: 'first',
    labels: { 'cluster.x-k8s.io/cluster-name': 'c' },
    finalizers: [devFinalizers.devMachine],
    ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm', uid: 'machine' }],
  },
  spec: { backend: { inMemory: { vm: { provisioning } } } },
};

/** The objects in the caches. */
const cached: readonly (readonly [Resource, Frozen<KubeObject>])[] = [
  [devMachines, devMachine],
  [
    machines,
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...machineKey, uid: 'machine', labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: {
        clusterName: 'c',
        bootstrap: { dataSecretName: 'data' },
        infrastructureRef: { apiGroup: group, kind: 'DevMachine', name: 'm' },
      },
    },
  ],
  [
    clusters,
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { ...clusterKey, uid: 'cluster' },
      spec: { infrastructureRef: { apiGroup: group, kind: 'DevCluster', name: 'c' } },
      status: { initialization: { infrastructureProvisioned: true } },
    },
  ],
  [devClusters, { apiVersion: `${group}/v1beta2`, kind: 'DevCluster', metadata: { ...clusterKey, uid: 'devcluster' } }],
];

function sourcesOf(): Sources {
  const sourceFor = (resource: Resource) => ({
    get: ({ name }: ObjectKey) =>
      cached.find(([kind, object]) => kind === resource && object.metadata.name === name)?.[1],
  });
  return { sourceFor } as unknown as Sources;
}

/** Returns a client of a server with this DevMachine, or without one. */
function clientOf(live: Frozen<KubeObject> | undefined): Client {
  const answer = async (): Promise<Frozen<KubeObject>> => {
    if (live === undefined) throw notFound({ group, resource: 'devmachines' }, machineKey.name);
    return live;
  };
  return { get: answer, patch: answer } as unknown as Client;
}

/** Reconciles the machine once with the caches above. Returns the machines that run afterwards. */
async function reconcileOnce(
  live: Frozen<KubeObject> | undefined,
  workloads: WorkloadClusters,
  clock: VirtualClock,
): Promise<readonly string[]> {
  const client = clientOf(live);
  const executor = new ChangeExecutor({ client, clock, controller: 'test' });
  const context: Partial<ReconcileContext> = {
    read: client,
    change: executor.change.bind(executor),
    sources: sourcesOf(),
    clock,
    logger: silentLogger,
    signal: new AbortController().signal,
    check: () => undefined,
    enqueue: () => undefined,
  };
  // Ignore the error: only the machines that run are checked.
  await reconcileInfrastructureMachine(devMachineDefinition(workloads), machineKey, context as ReconcileContext).catch(
    () => undefined,
  );
  return workloads.get(clusterKey)?.machines ?? [];
}

describe('a machine that does not run yet', () => {
  const edited = (metadata: Partial<KubeObject['metadata']>): Frozen<KubeObject> => ({
    ...devMachine,
    metadata: { ...devMachine.metadata, ...metadata },
  });
  const rows = [
    { name: 'starts if its object exists', live: devMachine, runs: ['m'] },
    { name: 'does not start if its object was deleted and the cache is stale', live: undefined, runs: [] },
    {
      name: 'does not start if its object is deleting and the cache is stale',
      live: edited({ deletionTimestamp: '2026-01-01T00:00:00Z' }),
      runs: [],
    },
    { name: 'does not start if another object has its name by now', live: edited({ uid: 'second' }), runs: [] },
  ];
  it.each(rows)('$name', async ({ live, runs }) => {
    const clock = new VirtualClock();
    const workloads = new WorkloadClusters({ clock, random: seededRandom(1), network: 'none' });
    expect(await reconcileOnce(live, workloads, clock)).toEqual(runs);
    await workloads.dispose();
  });
});
