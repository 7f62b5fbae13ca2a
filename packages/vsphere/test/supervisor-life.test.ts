import { clusters, machineDeployments, machines } from '@slipway/cluster-api';
import type { ObjectKey } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { supervisorClusters, supervisorMachines, virtualMachines, virtualMachineServices } from '../src/index.js';
import { createCluster, offer } from './support/supervisor-manifests.js';
import { conditionOf, namespace } from './support/object-environment.js';
import type { PlaneEnvironment } from './support/plane-environment.js';
import { startSupervisorEnvironment } from './support/supervisor-environment.js';

// Each network provider uses another version of VM Operator, so that all versions are covered.
const supervisors = [
  ['VSphereDistributed', 'v1alpha5'],
  ['NSXTier1', 'v1alpha2'],
  ['VPC', 'v1alpha6'],
] as const;

describe.each(supervisors)(
  'a cluster on a Supervisor with %s and VM Operator %s',
  (networkProvider, vmOperatorVersion) => {
    let environment: PlaneEnvironment;
    const name = 'prod';
    const key: ObjectKey = { namespace, name };
    beforeAll(async () => {
      environment = await startSupervisorEnvironment({ networkProvider, vmOperatorVersion });
      await offer(environment);
    });
    afterAll(() => environment.stop());

    it('becomes available', async () => {
      await createCluster(environment, { name, controlPlanes: 1, workers: 1 });
      const cluster = await environment.untilOne(
        clusters,
        name,
        (one) => conditionOf(one, 'Available')?.status === 'True',
      );
      expect(cluster.spec.controlPlaneEndpoint?.port).toBe(6443);
      // Includes the conditions of the objects that the Supervisor writes to the workload cluster.
      const isReady = (one: object): boolean => conditionOf(one, 'Ready')?.status === 'True';
      const vsphereCluster = await environment.untilOne(supervisorClusters, name, isReady);
      expect(conditionOf(vsphereCluster, 'Ready')?.reason).toBe('Ready');
      const vms = await environment.list(virtualMachines);
      expect(vms).toHaveLength(2);
      const objects = environment.dev.workloads.get(key)?.objects;
      const ids = objects?.list('nodes').map((node) => (node as { spec?: { providerID?: string } }).spec?.providerID);
      expect(ids?.sort()).toEqual(vms.map(({ metadata }) => `vsphere://${metadata.uid ?? ''}`).sort());
    });

    it('scales up and down', async () => {
      const deployment = `${name}-md-0`;
      await environment.merge(machineDeployments, deployment, { spec: { replicas: 3 } });
      await environment.untilOne(machineDeployments, deployment, (one) => one.status?.readyReplicas === 3);
      expect(await environment.list(virtualMachines)).toHaveLength(4);
      await environment.merge(machineDeployments, deployment, { spec: { replicas: 1 } });
      await environment.until(virtualMachines, (vms) => vms.length === 2);
    });

    it('is deleted with all of its objects', async () => {
      await environment.client.delete(clusters, key);
      await environment.untilNone(clusters, name);
      expect(await environment.list(machines)).toEqual([]);
      expect(await environment.list(supervisorMachines)).toEqual([]);
      await environment.until(virtualMachines, (vms) => vms.length === 0);
      await environment.until(virtualMachineServices, (services) => services.length === 0);
      expect(environment.dev.workloads.get(key)).toBeUndefined();
    });
  },
);
