import { labels, machinePools, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { devMachines, devMachineTemplates } from '../src/index.js';
import { type DevMachine, devMachinePools } from '../src/api/index.js';
import { conditionOf, DevPlane } from './dev-plane.js';

const namespace = 'default';
const group = 'infrastructure.cluster.x-k8s.io';
const key = { namespace, name: 'pool' };

describe('a pool of simulated machines', () => {
  let plane: DevPlane;
  beforeAll(async () => {
    plane = await DevPlane.start();
    await plane.startCluster('pooled');
  });
  afterAll(() => plane.stop());

  async function members(): Promise<readonly Frozen<DevMachine>[]> {
    const selector = `${labels.poolName}=pool`;
    return (await plane.client.list(devMachines, { namespace, labelSelector: selector })).items;
  }

  /** Simulates the MachinePool controller: creates a Machine for each DevMachine. */
  async function adopt(): Promise<void> {
    const pool = await plane.client.get(machinePools, key);
    for (const member of await members()) {
      const name = member.metadata.name ?? '';
      if (member.metadata.ownerReferences?.some(({ kind }) => kind === 'Machine') === true) continue;
      const machine = await plane.client.create(machines, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: {
          name,
          namespace,
          labels: { [labels.clusterName]: 'pooled', [labels.poolName]: 'pool' },
          ownerReferences: [ownerReference(pool, { controller: true })],
        },
        spec: {
          clusterName: 'pooled',
          bootstrap: { dataSecretName: '' },
          infrastructureRef: { apiGroup: group, kind: 'DevMachine', name },
        },
      });
      const owners = [...(member.metadata.ownerReferences ?? []), ownerReference(machine, { controller: true })];
      await plane.patch(devMachines, { namespace, name }, { metadata: { ownerReferences: owners } });
    }
  }

  async function untilReady(replicas: number): Promise<void> {
    await plane.until(devMachinePools, key, (one) => (one.status?.instances ?? []).length === replicas);
    await adopt();
    await plane.until(devMachinePools, key, (one) => one.status?.ready === true && one.status.replicas === replicas);
  }

  it('creates the desired replicas, each with a Node of the desired version', async () => {
    const pool = await plane.client.create(machinePools, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachinePool',
      metadata: { name: 'pool', namespace, labels: { [labels.clusterName]: 'pooled' } },
      spec: {
        clusterName: 'pooled',
        replicas: 2,
        template: {
          spec: {
            clusterName: 'pooled',
            version: 'v1.33.2',
            bootstrap: { dataSecretName: 'pool-data' },
            infrastructureRef: { apiGroup: group, kind: 'DevMachinePool', name: 'pool' },
          },
        },
      },
    });
    await plane.client.create(devMachinePools, {
      apiVersion: `${group}/v1beta2`,
      kind: 'DevMachinePool',
      metadata: {
        name: 'pool',
        namespace,
        labels: { [labels.clusterName]: 'pooled' },
        ownerReferences: [ownerReference(pool)],
      },
      spec: {},
    });
    await untilReady(2);
    const devPool = await plane.client.get(devMachinePools, key);
    expect(devPool.status?.infrastructureMachineKind).toBe('DevMachine');
    expect(devPool.spec?.providerIDList).toHaveLength(2);
    const workload = plane.dev.workloads.get({ namespace, name: 'pooled' });
    for (const { metadata } of await members()) {
      await plane.untilReady(metadata.name ?? '');
      expect(workload?.objects?.get('nodes', '', metadata.name ?? '')?.status).toMatchObject({
        nodeInfo: { kubeletVersion: 'v1.33.2' },
      });
    }
  });

  it('scales down by deleting Machines, so that they are drained', async () => {
    await plane.patch(machinePools, key, { spec: { replicas: 1 } });
    const [first] = (await members()).map(({ metadata }) => metadata.name ?? '').sort();
    await plane.untilGone(machines, { namespace, name: first ?? '' });
    // The Machine controller does not run here, so delete the DevMachine in its place.
    await plane.client.delete(devMachines, { namespace, name: first ?? '' });
    await plane.until(devMachinePools, key, (one) => one.status?.replicas === 1 && one.status.ready === true);
    expect(await members()).toHaveLength(1);
  });

  it('is deleted together with its machines', async () => {
    for (const { metadata } of await members())
      await plane.client.delete(machines, { namespace, name: metadata.name ?? '' });
    await plane.client.delete(devMachinePools, key);
    for (const { metadata } of await members())
      await plane.client.delete(devMachines, { namespace, name: metadata.name ?? '' });
    await plane.untilGone(devMachinePools, key);
    expect(await members()).toEqual([]);
  });

  it('reports that the docker backend is not supported', async () => {
    const pool = await plane.client.get(machinePools, key);
    const name = 'docked';
    await plane.client.create(devMachinePools, {
      apiVersion: `${group}/v1beta2`,
      kind: 'DevMachinePool',
      metadata: { name, namespace, ownerReferences: [ownerReference(pool)] },
      spec: { backend: { docker: {} } },
    });
    const reported = await plane.until(devMachinePools, { namespace, name }, (one) => one.status?.ready === false);
    expect(conditionOf(reported, 'Ready')).toMatchObject({ status: 'False', reason: 'BackendNotSupported' });
  });

  it('has templates that report the capacity of their machines', async () => {
    const name = 'sized';
    await plane.client.create(devMachineTemplates, {
      apiVersion: `${group}/v1beta2`,
      kind: 'DevMachineTemplate',
      metadata: { name, namespace },
      spec: { template: { spec: { backend: { inMemory: {} } } } },
    });
    const reported = await plane.until(devMachineTemplates, { namespace, name }, (one) => one.status !== undefined);
    expect(reported.status?.capacity).toEqual({ cpu: '4', memory: '16Gi' });
  });
});
