import {
  clusters,
  ipAddressClaims,
  ipAddresses,
  isControlPlaneMachine,
  labels,
  machineDeployments,
  machineHealthChecks,
  machines,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { type Client, nodes, type Resource } from '@slipway/runtime';
import {
  Finder,
  haproxyLoadBalancers,
  type ObjectRef,
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
import { conditionOf, type ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import type { CaseEnvironment, ClusterCase } from './cluster-cases.js';
import { type Inventory, inventoryOf, sessionsOf } from './inventory.js';

/** A management plane with both modes, embedded or in a process. */
export interface BothModes extends CaseEnvironment {
  /** The clusters to test, all at the same time. */
  readonly cases: readonly ClusterCase[];
  /** Returns a client of a workload cluster. */
  workload(name: string): Promise<Pick<Client, 'get' | 'patch'>>;
  /** Stops only the manager. */
  stopManager(): Promise<void>;
  stop(): Promise<void>;
}

const upgraded = 'v1.36.0';
/** Long, because a busy host is slow with many clusters. Tests wait for states, never for a fixed time. */
const untilMs = 500_000;
const timeoutMs = 600_000;
const isReady = (machine: Frozen<object>): boolean => conditionOf(machine, 'Ready')?.status === 'True';

const goneWithClusters: readonly object[] = [
  machines,
  vsphereMachines,
  vsphereVms,
  haproxyLoadBalancers,
  ipAddressClaims,
  ipAddresses,
  supervisorMachines,
  virtualMachines,
  virtualMachineServices,
  virtualMachineSetResourcePolicies,
];

/** Tests the lifecycle of clusters of both modes in one manager. */
export function lifeOfClusters(title: string, start: () => Promise<BothModes>): void {
  describe(`${title}`, { timeout: timeoutMs }, () => {
    let both: BothModes;
    let objects: ObjectEnvironment;
    let names: readonly string[];
    let before: Inventory;
    let companions: Promise<unknown>;
    const ending = new AbortController();
    beforeAll(async () => {
      both = await start();
      ({ objects } = both);
      objects.timeoutMs = untilMs;
      names = both.cases.map(({ name }) => name);
      before = await inventoryOf(both.session);
      companions = Promise.all(both.cases.map(async (one) => one.accompany?.(both, ending.signal)));
    });
    afterAll(async () => {
      ending.abort();
      await companions;
      await both?.stop();
    });

    const merge = (resource: object, name: string, patch: object) => objects.merge(resource as Resource, name, patch);
    /** Waits until all clusters have this number of machines, all ready and, if given, of this version. */
    const machinesAre = (workerCount: number, controlPlaneCount: number, version?: string) => {
      const count = both.cases.length * (workerCount + 1) + growing().length * (controlPlaneCount - 1);
      return objects.until(
        machines,
        (all) =>
          all.length === count &&
          all.every((machine) => isReady(machine) && (version === undefined || machine.spec.version === version)) &&
          all,
      );
    };
    const growing = () => both.cases.filter(({ growsControlPlane }) => growsControlPlane);
    const workersScale = async (replicas: number): Promise<void> => {
      for (const name of names) await merge(machineDeployments, `${name}-md-0`, { spec: { replicas } });
    };
    const controlPlanesScale = async (replicas: number): Promise<void> => {
      for (const { name } of growing()) await merge(kubeadmControlPlanes, name, { spec: { replicas } });
    };
    const workers = async () =>
      (await objects.list(machines)).filter(({ metadata }) => metadata.labels?.[labels.deploymentName] !== undefined);

    /** Returns the inventory of vCenter and the expected one. They must match. */
    const inventories = async (): Promise<readonly [found: object, expected: object]> => {
      const { modules, ...found } = await inventoryOf(both.session);
      const vms = namesOf(await objects.list(vsphereVms));
      const balancers = (await objects.list(haproxyLoadBalancers)).map(({ metadata }) => `${metadata.name}-lb`);
      const { modules: _none, ...old } = before;
      return [
        { ...found, modules: modules.length, vms, supervised: namesOf(await objects.list(virtualMachines)) },
        {
          ...old,
          machines: [...old.machines, ...vms].sort(),
          // One module for the control plane and one for the workers.
          modules: 2 * both.cases.filter(({ mode }) => mode === 'vcenter').length,
          vms: [...namesOf(await objects.list(vsphereMachines)), ...balancers].sort(),
          supervised: namesOf(await objects.list(supervisorMachines)),
        },
      ];
    };

    it('become available', async () => {
      for (const one of both.cases) await one.create(both);
      for (const name of names)
        await objects.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
      const all = await machinesAre(1, 1);
      const [found, expected] = await inventories();
      expect(found).toEqual(expected);
      const ids = (await objects.list(vsphereVms)).map(({ spec }) => `vsphere://${spec.biosUUID}`);
      const direct = new Set(both.cases.filter(({ mode }) => mode === 'vcenter').map(({ name }) => name));
      const ofDirect = all.filter(({ spec }) => direct.has(spec.clusterName));
      expect(ids).toEqual(expect.arrayContaining(ofDirect.map(({ spec }) => spec.providerID)));
      for (const one of both.cases) {
        const own = all.filter(({ spec }) => spec.clusterName === one.name);
        await one.check?.(both, namesOf(own.filter(isControlPlaneMachine)));
      }
    });

    it('scale workers and control planes up and down', async () => {
      await workersScale(2);
      await controlPlanesScale(3);
      await machinesAre(2, 3);
      const [many, conditionsOfMany] = await inventories();
      expect(many).toEqual(conditionsOfMany);
      await workersScale(1);
      await controlPlanesScale(1);
      await machinesAre(1, 1);
      const [found, expected] = await inventories();
      expect(found).toEqual(expected);
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
      await machinesAre(1, 1, upgraded);
      const [found, expected] = await inventories();
      expect(found).toEqual(expected);
    });

    it('replace machines with a failed Node, also when the virtual machine was destroyed in vCenter', async () => {
      for (const name of names) await objects.create(machineHealthChecks, healthCheck(name));
      const failing = await workers();
      const destroyed = failing.find(({ spec }) => spec.clusterName === names[0]);
      await destroy(both.session, destroyed?.spec.infrastructureRef.name ?? '');
      for (const { spec, status } of failing)
        await failNode(await both.workload(spec.clusterName), status?.nodeRef?.name ?? '');
      const old = new Set(failing.map(({ metadata }) => metadata.uid));
      await objects.until(
        machines,
        (all) => all.length === 2 * names.length && all.every((one) => isReady(one) && !old.has(one.metadata.uid)),
      );
      const [found, expected] = await inventories();
      expect(found).toEqual(expected);
    });

    it('are deleted completely', async () => {
      for (const name of names) await objects.client.delete(clusters, { namespace: 'tenants', name });
      for (const name of names) await objects.untilNone(clusters, name);
      for (const resource of goneWithClusters as readonly Resource[])
        await objects.until(resource, (found) => found.length === 0);
      expect(await inventoryOf(both.session)).toEqual(before);
    });

    it('use a single session, which is closed when the manager stops', async () => {
      expect((await sessionsOf(both.session)).length).toBeLessThanOrEqual(2);
      await both.stopManager();
      expect(await sessionsOf(both.session)).toHaveLength(1);
    });
  });
}

function namesOf(found: readonly { readonly metadata: { readonly name?: string } }[]): string[] {
  return found.map(({ metadata }) => metadata.name ?? '').sort();
}

function healthCheck(name: string): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name, namespace: 'tenants' },
    spec: {
      clusterName: name,
      selector: { matchLabels: { [labels.deploymentName]: `${name}-md-0` } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 1 }] },
    },
  };
}

/** Sets the Node conditions of a kubelet that has stopped. */
async function failNode(workload: Pick<Client, 'get' | 'patch'>, name: string): Promise<void> {
  const key = { namespace: '', name };
  const { status } = await workload.get(nodes, key);
  const conditions = (status?.conditions ?? []).map((each) =>
    each.type === 'Ready' ? { ...each, status: 'Unknown', reason: 'NodeStatusUnknown' } : { ...each },
  );
  await workload.patch(nodes, key, { type: 'merge', patch: { status: { conditions } } }, { subresource: 'status' });
}

/**
 * Deletes a VM like a user of vSphere Client: powers it off, then destroys it. Retries if the controller powered it on in
 * between.
 */
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
