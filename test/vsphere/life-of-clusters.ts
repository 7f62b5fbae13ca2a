import { clusters, labels, machineDeployments, machineHealthChecks, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Resource } from '@slipway/runtime';
import {
  ClusterModules,
  Finder,
  type ObjectRef,
  retrieveOne,
  supervisorMachines,
  VimFault,
  virtualMachines,
  virtualMachineServices,
  virtualMachineSetResourcePolicies,
  type VimSession,
  vsphereMachines,
  vsphereVms,
  waitForTask,
} from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, type ObjectWorld } from '../../packages/vsphere/test/support/object-world.js';
import { createCluster as createSupervisorCluster } from '../../packages/vsphere/test/support/supervisor-manifests.js';
import { createWholeCluster } from './vcenter-manifests.js';
import { madeIn } from './vcenter-world.js';

/** A management plane with both modes, whoever runs it. */
export interface BothModes {
  readonly objects: ObjectWorld;
  /** The test's own view of the simulated vCenter. */
  readonly session: VimSession;
  readonly server: string;
  /** A free port of this machine. */
  readonly port: number;
  /** Ends the manager, and nothing else. */
  stopManager(): Promise<void>;
  stop(): Promise<void>;
}

const names = ['direct', 'supervised'];
const upgraded = 'v1.36.0';
const isReady = (machine: Frozen<object>): boolean => conditionOf(machine, 'Ready')?.status === 'True';

/** The whole life of a cluster of each mode, side by side in one manager. */
export function lifeOfClusters(title: string, start: () => Promise<BothModes>): void {
  describe(`${title}`, () => {
    let both: BothModes;
    let objects: ObjectWorld;
    beforeAll(async () => {
      both = await start();
      objects = both.objects;
    });
    afterAll(() => both?.stop());

    const merge = (resource: object, name: string, patch: object) => objects.merge(resource as Resource, name, patch);
    const available = () =>
      Promise.all(
        names.map((name) =>
          objects.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True'),
        ),
      );
    /** Both clusters have so many machines, all of them ready and, if it is said, of this version. */
    const machinesAre = (count: number, version?: string) =>
      objects.until(
        machines,
        (all) =>
          all.length === 2 * count &&
          all.every((machine) => isReady(machine) && (version === undefined || machine.spec.version === version)) &&
          all,
      );
    /** What is there is what the objects say, and nothing else. */
    const inventory = async () => ({
      inVCenter: await madeIn(both.session),
      supervised: (await objects.list(virtualMachines)).map(({ metadata }) => metadata.name ?? '').sort(),
    });
    const expected = async () => ({
      inVCenter: (await objects.list(vsphereMachines)).map(({ metadata }) => metadata.name ?? '').sort(),
      supervised: (await objects.list(supervisorMachines)).map(({ metadata }) => metadata.name ?? '').sort(),
    });

    it('both come up', async () => {
      await createWholeCluster(objects, { name: 'direct', server: both.server, port: both.port });
      await createSupervisorCluster(objects, { name: 'supervised' });
      await available();
      await machinesAre(2);
      expect(await inventory()).toEqual(await expected());
      const ids = (await objects.list(vsphereVms)).map(({ spec }) => `vsphere://${spec.biosUUID}`);
      const ofDirect = (await objects.list(machines)).filter(({ spec }) => spec.clusterName === 'direct');
      expect(ofDirect.map(({ spec }) => spec.providerID ?? '').sort()).toEqual(ids.sort());
      // One for the control plane, one for the workers.
      expect(await new ClusterModules(both.session.rest).list()).toHaveLength(2);
    });

    it('grow and shrink', async () => {
      for (const name of names) await merge(machineDeployments, `${name}-md-0`, { spec: { replicas: 2 } });
      await machinesAre(3);
      expect(await inventory()).toEqual(await expected());
      for (const name of names) await merge(machineDeployments, `${name}-md-0`, { spec: { replicas: 1 } });
      await machinesAre(2);
      expect(await inventory()).toEqual(await expected());
    });

    it('are upgraded by one minor version', async () => {
      for (const name of names) await merge(kubeadmControlPlanes, name, { spec: { version: upgraded } });
      for (const name of names)
        await objects.untilOne(
          kubeadmControlPlanes,
          name,
          ({ status }) => status?.version === upgraded && status.replicas === 1 && status.upToDateReplicas === 1,
        );
      for (const name of names)
        await merge(machineDeployments, `${name}-md-0`, { spec: { template: { spec: { version: upgraded } } } });
      await machinesAre(2, upgraded);
      expect(await inventory()).toEqual(await expected());
    });

    it('are healed by a MachineHealthCheck, also when somebody destroyed the virtual machine', async () => {
      const workers = (await objects.list(machines)).filter(
        ({ metadata }) => metadata.labels?.[labels.deploymentName] !== undefined,
      );
      for (const name of names) await objects.create(machineHealthChecks as Resource, healthCheck(name));
      const direct = workers.find(({ spec }) => spec.clusterName === 'direct');
      await destroy(both.session, direct?.spec.infrastructureRef.name ?? '');
      for (const { metadata } of workers)
        await merge(machines, metadata.name ?? '', {
          metadata: { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } },
        });
      const old = new Set(workers.map(({ metadata }) => metadata.uid));
      await objects.until(
        machines,
        (all) => all.length === 4 && all.every((machine) => isReady(machine) && !old.has(machine.metadata.uid)),
      );
      expect(await inventory()).toEqual(await expected());
    });

    it('go, and leave nothing behind', async () => {
      for (const name of names) await objects.client.delete(clusters, { namespace: 'tenants', name });
      for (const name of names) await objects.untilNone(clusters as Resource, name);
      expect(await madeIn(both.session)).toEqual([]);
      const left = [machines, vsphereMachines, vsphereVms, supervisorMachines, virtualMachines];
      for (const resource of left as readonly Resource[]) await objects.until(resource, (found) => found.length === 0);
      for (const resource of [virtualMachineServices, virtualMachineSetResourcePolicies] as readonly Resource[])
        await objects.until(resource, (found) => found.length === 0);
      expect(await new ClusterModules(both.session.rest).list()).toEqual([]);
    });

    it('one session was enough, and none is left once the manager has ended', async () => {
      expect((await sessionsOf(both.session)).length).toBeLessThanOrEqual(2);
      await both.stopManager();
      expect(await sessionsOf(both.session)).toHaveLength(1);
    });
  });
}

function healthCheck(name: string): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name, namespace: 'tenants' },
    spec: {
      clusterName: name,
      selector: { matchLabels: { [labels.deploymentName]: `${name}-md-0` } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
    },
  };
}

/** As somebody with vSphere Client would: off, then gone, and once more when the controller was quick to turn it on again. */
async function destroy(session: VimSession, name: string): Promise<void> {
  const machine: ObjectRef = await new Finder(session.soap, 'DC0').find('virtualMachine', name);
  const run = async (method: 'PowerOffVM_Task' | 'Destroy_Task'): Promise<void> => {
    await waitForTask(session.updates, await session.soap.call(method, machine, {}));
  };
  for (let attempts = 20; ; attempts--) {
    try {
      await run('PowerOffVM_Task');
      return await run('Destroy_Task');
    } catch (error) {
      if (attempts === 0 || !(error instanceof VimFault && error.fault === 'InvalidPowerState')) throw error;
    }
  }
}

async function sessionsOf(session: VimSession): Promise<readonly unknown[]> {
  const { sessionManager } = await session.soap.content();
  const { sessionList = [] } = await retrieveOne(session.soap, sessionManager as ObjectRef, ['sessionList']);
  return sessionList;
}
