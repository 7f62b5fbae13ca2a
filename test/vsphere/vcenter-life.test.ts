import { clusters, machineDeployments } from '@slipway/cluster-api';
import type { ObjectKey, Resource } from '@slipway/runtime';
import { vsphereClusters, vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWholeCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, VCenterWorld } from './vcenter-world.js';

describe('a cluster in a vCenter', () => {
  let world: VCenterWorld;
  const name = 'prod';
  const key: ObjectKey = { namespace, name };
  beforeAll(async () => {
    world = await VCenterWorld.start({ whole: true });
  });
  afterAll(() => world.stop());

  it('comes up', async () => {
    await createWholeCluster(world, { name, controlPlanes: 1, workers: 1 });
    await world.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
    const vsphereCluster = await world.get(vsphereClusters, name);
    expect(conditionOf(vsphereCluster, 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(vsphereCluster.status?.vCenterVersion).toBe('8.0.3');
    const vms = await world.list(vsphereVms);
    expect(await world.machineNames()).toEqual(vms.map(({ metadata }) => metadata.name ?? '').sort());
    const objects = world.dev.workloads.get(key)?.objects;
    const ids = objects?.list('nodes').map((node) => (node as { spec?: { providerID?: string } }).spec?.providerID);
    expect(ids?.sort()).toEqual(vms.map(({ spec }) => `vsphere://${spec.biosUUID}`).sort());
  });

  it('grows and shrinks', async () => {
    const deployment = `${name}-md-0`;
    await world.merge(machineDeployments as Resource, deployment, { spec: { replicas: 3 } });
    await world.untilOne(machineDeployments, deployment, (one) => one.status?.readyReplicas === 3);
    expect(await world.machineNames()).toHaveLength(4);
    await world.merge(machineDeployments as Resource, deployment, { spec: { replicas: 1 } });
    await world.until(vsphereVms, (vms) => vms.length === 2);
    expect(await world.machineNames()).toHaveLength(2);
  });

  it('goes, and leaves nothing behind', async () => {
    await world.client.delete(clusters, key);
    await world.untilNone(clusters as Resource, name);
    expect(await world.list(vsphereMachines)).toEqual([]);
    expect(await world.list(vsphereVms)).toEqual([]);
    expect(await world.machineNames()).toEqual([]);
    expect(world.dev.workloads.get(key)).toBeUndefined();
  });
});
