import { clusters, machineDeployments, machines } from '@slipway/cluster-api';
import type { ObjectKey } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { supervisorClusters, supervisorMachines, virtualMachines, virtualMachineServices } from '../src/index.js';
import { createCluster, offer } from './support/supervisor-manifests.js';
import { conditionOf, namespace } from './support/object-world.js';
import type { PlaneWorld } from './support/plane-world.js';
import { startSupervisorWorld } from './support/supervisor-world.js';

// Each network uses another version of VM Operator, so that all versions are covered.
const supervisors = [
  ['VSphereDistributed', 'v1alpha5'],
  ['NSXTier1', 'v1alpha2'],
  ['VPC', 'v1alpha6'],
] as const;

describe.each(supervisors)(
  'a cluster on a Supervisor with %s and VM Operator %s',
  (networkProvider, vmOperatorVersion) => {
    let world: PlaneWorld;
    const name = 'prod';
    const key: ObjectKey = { namespace, name };
    beforeAll(async () => {
      world = await startSupervisorWorld({ networkProvider, vmOperatorVersion });
      await offer(world);
    });
    afterAll(() => world.stop());

    it('becomes available', async () => {
      await createCluster(world, { name, controlPlanes: 1, workers: 1 });
      const cluster = await world.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
      expect(cluster.spec.controlPlaneEndpoint?.port).toBe(6443);
      // Includes the conditions of the objects that the Supervisor writes to the workload cluster.
      const isReady = (one: object): boolean => conditionOf(one, 'Ready')?.status === 'True';
      const vsphereCluster = await world.untilOne(supervisorClusters, name, isReady);
      expect(conditionOf(vsphereCluster, 'Ready')?.reason).toBe('Ready');
      const vms = await world.list(virtualMachines);
      expect(vms).toHaveLength(2);
      const objects = world.dev.workloads.get(key)?.objects;
      const ids = objects?.list('nodes').map((node) => (node as { spec?: { providerID?: string } }).spec?.providerID);
      expect(ids?.sort()).toEqual(vms.map(({ metadata }) => `vsphere://${metadata.uid ?? ''}`).sort());
    });

    it('scales up and down', async () => {
      const deployment = `${name}-md-0`;
      await world.merge(machineDeployments, deployment, { spec: { replicas: 3 } });
      await world.untilOne(machineDeployments, deployment, (one) => one.status?.readyReplicas === 3);
      expect(await world.list(virtualMachines)).toHaveLength(4);
      await world.merge(machineDeployments, deployment, { spec: { replicas: 1 } });
      await world.until(virtualMachines, (vms) => vms.length === 2);
    });

    it('is deleted with all of its objects', async () => {
      await world.client.delete(clusters, key);
      await world.untilNone(clusters, name);
      expect(await world.list(machines)).toEqual([]);
      expect(await world.list(supervisorMachines)).toEqual([]);
      await world.until(virtualMachines, (vms) => vms.length === 0);
      await world.until(virtualMachineServices, (services) => services.length === 0);
      expect(world.dev.workloads.get(key)).toBeUndefined();
    });
  },
);
