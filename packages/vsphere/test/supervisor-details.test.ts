import { clusters, machineDeployments, machines } from '@slipway/cluster-api';
import { toCustomResourceDefinition } from '@slipway/kube';
import { customResourceDefinitions, type ObjectKey, persistentVolumeClaims, type Resource } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createStandInSupervisor,
  platformKinds,
  supervisorClusters,
  supervisorMachines,
  supervisorMachineTemplates,
  vcenterKinds,
  virtualMachineClasses,
  virtualMachineGroups,
  virtualMachines,
  vsphereMachines,
  zones,
} from '../src/index.js';
import { createCluster, offer } from './support/supervisor-manifests.js';
import { conditionOf, namespace, SupervisorWorld } from './support/supervisor-world.js';

const name = 'prod';
const key: ObjectKey = { namespace, name };
const machineSpec = { imageName: 'ubuntu', className: 'best-effort-small' };
const machineObject = (machineName: string, more: object = {}): object => ({
  apiVersion: 'vmware.infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'VSphereMachine',
  metadata: { name: machineName, namespace, ...more },
  spec: machineSpec,
});

describe('a Supervisor that places workers', () => {
  let world: SupervisorWorld;
  beforeAll(async () => {
    world = await SupervisorWorld.start({
      networkProvider: 'VPC',
      featureGates: ['NamespaceScopedZones', 'NodeAutoPlacement'],
    });
    await offer(world);
    await world.create(zones as Resource, {
      apiVersion: 'topology.tanzu.vmware.com/v1alpha1',
      kind: 'Zone',
      metadata: { name: 'zone-1', namespace },
    });
    await createCluster(world, {
      name,
      workers: 2,
      machine: { volumes: [{ name: 'containerd', capacity: { storage: '20Gi' } }] },
    });
    await world.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
  });
  afterAll(() => world.stop());

  it('lists them in one group, which is theirs before they are made', async () => {
    const group = await world.get(virtualMachineGroups, name);
    const vms = await world.list(virtualMachines);
    const workers = vms.filter(({ spec }) => spec?.groupName === name).map(({ metadata }) => metadata.name ?? '');
    expect(group.spec?.bootOrder?.[0]?.members?.map((member) => member.name)).toEqual(workers.sort());
    expect(workers).toHaveLength(2);
    expect(group.metadata.annotations).toMatchObject({
      [`zone.vmware.infrastructure.cluster.x-k8s.io/${name}-md-0`]: 'zone-1',
    });
    expect(vms.filter(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] === 'zone-1')).toHaveLength(3);
  });

  it('tells the cluster its zones', async () => {
    const { status } = await world.get(supervisorClusters, name);
    expect(status?.failureDomains).toEqual([{ name: 'zone-1', controlPlane: true }]);
  });

  it('claims the disks of each machine', async () => {
    const claims = await world.list(persistentVolumeClaims);
    expect(claims).toHaveLength(3);
    expect(claims[0]?.spec).toMatchObject({ accessModes: ['ReadWriteOnce'], storageClassName: 'gold' });
  });

  it('says what a machine of a template offers', async () => {
    const template = await world.untilOne(
      supervisorMachineTemplates,
      name,
      (one) => one.status?.capacity?.['memory'] === '4Gi',
    );
    expect(template.status?.capacity).toEqual({ cpu: '2', memory: '4Gi' });
  });

  it('51: keeps what others wrote on a VirtualMachine', async () => {
    const [vm] = await world.list(virtualMachines);
    const vmName = vm?.metadata.name ?? '';
    await world.merge(virtualMachines as Resource, vmName, {
      spec: { advanced: { bootDiskCapacity: '40Gi' }, className: 'huge' },
    });
    // Something of ours changes as well.
    await world.merge(machineDeployments as Resource, `${name}-md-0`, { spec: { replicas: 3 } });
    await world.untilOne(machineDeployments, `${name}-md-0`, (one) => one.status?.readyReplicas === 3);
    const { spec } = await world.get(virtualMachines, vmName);
    expect(spec).toMatchObject({ advanced: { bootDiskCapacity: '40Gi' }, className: 'huge', powerState: 'PoweredOn' });
  });

  it('10: a machine that was provisioned stays so, whatever becomes of its virtual machine', async () => {
    const [vm] = await world.list(virtualMachines);
    const vmName = vm?.metadata.name ?? '';
    await world.merge(virtualMachines as Resource, vmName, { status: { network: { primaryIP4: null } } }, 'status');
    const told = await world.untilOne(supervisorMachines, vmName, (one) => one.status?.initialization?.provisioned);
    expect(told.status?.initialization).toEqual({ provisioned: true });
  });

  it('41: a machine gets its finalizer only with its owner, and goes without one', async () => {
    await world.create(supervisorMachines as Resource, machineObject('orphan'));
    await world.create(
      supervisorMachines as Resource,
      machineObject('held', { finalizers: ['vspheremachine.infrastructure.cluster.x-k8s.io'] }),
    );
    await world.client.delete(supervisorMachines, { namespace, name: 'held' });
    await world.untilNone(supervisorMachines as Resource, 'held');
    expect((await world.get(supervisorMachines, 'orphan')).metadata.finalizers ?? []).toEqual([]);
  });

  it('7: a VirtualMachine of somebody else is neither taken over nor deleted', async () => {
    const deployment = `${name}-md-0`;
    const before = new Set((await world.list(machines)).map(({ metadata }) => metadata.name));
    await world.merge(clusters as Resource, name, { spec: { paused: true } });
    await world.merge(clusters as Resource, name, { spec: { paused: false } });
    await world.merge(machineDeployments as Resource, deployment, { spec: { replicas: 4 } });
    const added = await world.until(machines, (found) => found.find(({ metadata }) => !before.has(metadata.name)));
    const vm = await world.untilOne(virtualMachines, added.metadata.name ?? '', () => true);
    expect(vm.metadata.ownerReferences).toMatchObject([{ kind: 'VSphereMachine', controller: true }]);
    await world.create(virtualMachines as Resource, {
      apiVersion: 'vmoperator.vmware.com/v1alpha5',
      kind: 'VirtualMachine',
      metadata: { name: 'precious', namespace },
      spec: { className: 'best-effort-small' },
    });
    await world.client.delete(clusters, key);
    await world.untilNone(clusters as Resource, name);
    expect((await world.list(virtualMachines)).map(({ metadata }) => metadata.name)).toEqual(['precious']);
  });
});

describe('modes', () => {
  let world: SupervisorWorld;
  beforeAll(async () => {
    world = await SupervisorWorld.start({ networkProvider: 'NSX', supervisor: 'none', kinds: vcenterKinds });
  });
  afterAll(() => world.stop());

  it('19: the group and the kinds of a Supervisor may come later: its controllers start then', async () => {
    const { supervisorKinds } = await import('../src/index.js');
    for (const kind of supervisorKinds)
      await world.client.create(customResourceDefinitions, toCustomResourceDefinition(kind));
    await world.until(customResourceDefinitions, (found) =>
      found.some(
        ({ metadata, status }) =>
          metadata.name === 'providerserviceaccounts.vmware.infrastructure.cluster.x-k8s.io' &&
          status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True'),
      ),
    );
    await world.start([createStandInSupervisor({ guests: world.dev.guests })]);
    await offer(world);
    await createCluster(world, { name, workers: 0 });
    const cluster = await world.untilOne(
      clusters,
      name,
      (one) => conditionOf(one, 'InfrastructureReady')?.status === 'True',
    );
    expect(cluster.spec.controlPlaneEndpoint?.port).toBe(6443);
    expect(platformKinds.length).toBeGreaterThan(10);
    expect(await world.list(virtualMachineClasses)).toHaveLength(1);
  });

  it('60: machines of the other group with the same name are left alone', async () => {
    await world.create(vsphereMachines as Resource, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'VSphereMachine',
      metadata: { name: 'twin', namespace },
      spec: { template: 't', network: { devices: [] } },
    });
    await world.create(supervisorMachines as Resource, machineObject('twin'));
    await world.client.delete(supervisorMachines, { namespace, name: 'twin' });
    await world.untilNone(supervisorMachines as Resource, 'twin');
    const other = await world.get(vsphereMachines, 'twin');
    expect(other.status).toBeUndefined();
  });
});
