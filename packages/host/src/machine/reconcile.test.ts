import { silentLogger, VirtualClock } from '@slipway/base';
import { clusters, ipAddressClaims, ipAddresses, machines } from '@slipway/cluster-api';
import { notFound } from '@slipway/kube';
import { reconcileInfrastructureMachine } from '@slipway/provider-kit';
import {
  ChangeExecutor,
  type Client,
  type ObjectKey,
  type ReconcileContext,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { hostClusters, hostFinalizers, hostMachines } from '../api/index.js';
import type { Engine } from '../engine/index.js';
import { hostMachineDefinition } from './controller.js';

const namespace = 'default';
const labels = { 'cluster.x-k8s.io/cluster-name': 'c' };
const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm', uid: 'machine' };
const infrastructureRef = { apiGroup: hostClusters.group, kind: 'HostCluster', name: 'c' };

/** The objects in the cache: the machine, its cluster and its address. */
const cached = new Map<Resource, unknown>([
  [
    hostMachines,
    {
      metadata: {
        namespace,
        name: 'm',
        uid: 'u',
        labels,
        finalizers: [hostFinalizers.hostMachine],
        ownerReferences: [owner],
      },
    },
  ],
  [
    machines,
    { metadata: { namespace, name: 'm', labels }, spec: { clusterName: 'c', bootstrap: { dataSecretName: 'data' } } },
  ],
  [
    clusters,
    {
      metadata: { namespace, name: 'c' },
      spec: { infrastructureRef },
      status: { initialization: { infrastructureProvisioned: true } },
    },
  ],
  [hostClusters, { metadata: { namespace, name: 'c', uid: 'c' } }],
  [ipAddressClaims, { status: { addressRef: { name: 'a' } } }],
  [ipAddresses, { spec: { address: '10.0.0.1', prefix: 24 } }],
]);

describe('a HostMachine that was deleted while the cache still shows it', () => {
  it('is not started', async () => {
    const started: string[] = [];
    const value = Buffer.from('#cloud-config\n').toString('base64');
    const client = {
      get: async (resource: Resource, { name }: ObjectKey) => {
        if (resource === secrets) return { data: { value } };
        throw notFound({ group: resource.group, resource: resource.plural }, name);
      },
    } as unknown as Client;
    const clock = new VirtualClock();
    const executor = new ChangeExecutor({ client, clock, controller: 'test' });
    const context = {
      read: client,
      change: executor.change.bind(executor),
      clock,
      sources: { sourceFor: (resource: Resource) => ({ get: () => cached.get(resource) }) },
      logger: silentLogger,
      check: () => undefined,
      signal: new AbortController().signal,
    };
    const engine = {
      machineState: async () => ({ phase: 'absent', bootstrap: 'pending', log: '' }),
      problems: async () => [],
      nodeFiles: async () => ({}),
      startMachine: async ({ name }: { name: string }) => void started.push(name),
    };
    const reconcile = reconcileInfrastructureMachine(
      hostMachineDefinition(engine as unknown as Engine),
      { namespace, name: 'm' },
      context as unknown as ReconcileContext,
    );
    await expect(reconcile).rejects.toMatchObject({ reason: 'Conflict' });
    expect(started).toEqual([]);
  });
});
