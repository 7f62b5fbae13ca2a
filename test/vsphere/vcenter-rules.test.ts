import { clusters, inClusterIpPools, ipAddressClaims, clusterApiControllers, machines } from '@slipway/cluster-api';
import { namespaces, type Resource, secrets } from '@slipway/runtime';
import { retrieveOne, vsphereClusters, vsphereMachines, vsphereVms, waitForTask } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, password, VCenterEnvironment } from './vcenter-environment.js';

let environment: VCenterEnvironment;
const cluster = 'prod';

beforeAll(async () => {
  const own = { username: 'admin', password };
  environment = await VCenterEnvironment.start({ mode: { managerCredentials: async () => own } });
  await createCluster(environment, cluster);
  await provisionCluster(environment, cluster);
});
afterAll(() => environment.stop());

const ready = (name: string) => environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const without = { metadata: { finalizers: null } };

const remove = (name: string): Promise<void> => removeFrom(environment, name);

async function removeFrom(place: ObjectEnvironment, name: string): Promise<void> {
  const key = { namespace: place.namespace, name };
  await place.client.delete(vsphereMachines, key);
  await place.client.delete(machines, key);
  await place.untilNone(vsphereMachines, name);
}

describe('credentials', () => {
  const available = (status: string) =>
    environment.untilOne(vsphereClusters, 'rotated', (one) => conditionOf(one, 'VCenterAvailable')?.status === status);
  const setPassword = (text: string) =>
    environment.merge(secrets, 'rotated', { data: { password: Buffer.from(text).toString('base64') } });

  it('that change are used immediately, without any other event', async () => {
    await createCluster(environment, 'rotated');
    await available('True');
    await setPassword('wrong');
    const refused = await available('False');
    expect(conditionOf(refused, 'VCenterAvailable')?.reason).toBe('VCenterUnreachable');
    await setPassword(password);
    await available('True');
  });

  it('of the manager are used for clusters without their own', async () => {
    await createCluster(environment, 'nameless', { identityRef: undefined });
    const found = await environment.untilOne(
      vsphereClusters,
      'nameless',
      (one) => one.status?.initialization?.provisioned,
    );
    expect(conditionOf(found, 'VCenterAvailable')?.status).toBe('True');
  });
});

describe('a machine', () => {
  it('of a paused cluster reports it, and is not reconciled otherwise [vsphere 42]', async () => {
    await environment.merge(clusters, cluster, { spec: { paused: true } });
    await createMachine(environment, 'resting', { cluster });
    const resting = await environment.untilOne(
      vsphereMachines,
      'resting',
      (one) => conditionOf(one, 'Paused')?.status === 'True',
    );
    expect(resting.status?.conditions?.map(({ type }) => type)).toEqual(['Paused']);
    expect(await environment.machineNames()).toEqual([]);
    await environment.merge(clusters, cluster, { spec: { paused: false } });
    await ready('resting');
    await remove('resting');
  });

  it('is deleted although its Machine, its VSphereMachine and its cluster no longer exist [vsphere 63]', async () => {
    await createCluster(environment, 'vanished');
    await provisionCluster(environment, 'vanished');
    await createMachine(environment, 'left-over', { cluster: 'vanished' });
    await ready('left-over');
    await environment.stopControllers();
    const parents = [
      [vsphereMachines, 'left-over'],
      [machines, 'left-over'],
      [vsphereClusters, 'vanished'],
      [clusters, 'vanished'],
    ] as unknown as readonly (readonly [Resource, string])[];
    for (const [resource, name] of parents) {
      await environment.merge(resource, name, without);
      await environment.client.delete(resource, { namespace, name });
    }
    await environment.startControllers();
    await environment.client.delete(vsphereVms, { namespace, name: 'left-over' });
    await environment.untilNone(vsphereVms, 'left-over');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('can have the name of another one in another folder, and each is deleted separately', async () => {
    const vmFolder = await environment.finder().typedFolder('virtualMachine');
    const folders = [];
    for (const name of ['team-a', 'team-b'])
      folders.push(await environment.session.soap.call('CreateFolder', vmFolder, { name }));
    // Two clusters whose naming templates produce the same machine name.
    const naming = { template: 'twin-{{ .machine.name | trunc -1 }}' };
    const spec = (folder: string) => ({ folder: `/DC0/vm/${folder}`, naming });
    await createMachine(environment, 'first-1', { cluster, spec: spec('team-a') });
    const first = await ready('twin-1');
    // Both machines are in one namespace, so their objects conflict, although the virtual machines in different folders would
    // not.
    await createMachine(environment, 'second-1', { cluster, spec: spec('team-b') });
    const second = await environment.untilOne(
      vsphereMachines,
      'second-1',
      (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'NameTaken',
    );
    expect(conditionOf(second, 'VirtualMachineProvisioned')?.message).toContain('belongs to another VSphereMachine');
    await remove('second-1');
    const machine = await environment.finder().find('virtualMachine', '/DC0/vm/team-a/twin-1');
    expect(`VirtualMachine:${machine.value}`).toBe(first.status?.vmRef);
    // A foreign machine of the same name in the other folder is never changed.
    const source = await environment.finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const location = { pool: await environment.finder().find('resourcePool', '/DC0/host/DC0_C0/Resources') };
    const parameters = {
      folder: folders[1] as never,
      name: 'twin-1',
      spec: { location, template: false, powerOn: false },
    };
    const task = await environment.session.soap.call('CloneVM_Task', source, parameters);
    const other = (await waitForTask(environment.session.updates, task)) as typeof machine;
    await remove('first-1');
    expect((await retrieveOne(environment.session.soap, other, ['name'])).name).toBe('twin-1');
    for (const folder of folders)
      await waitForTask(environment.session.updates, await environment.session.soap.call('Destroy_Task', folder, {}));
    expect(await environment.machineNames()).toEqual([]);
  });

  it('is not confused with that of a cluster with identical names in another namespace', async () => {
    const elsewhere = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } } as const;
    await environment.client.create(namespaces, elsewhere);
    const other = Object.assign(new ObjectEnvironment(environment.client, 'elsewhere'), { vcsim: environment.vcsim });
    await createCluster(other, cluster);
    await provisionCluster(other, cluster);
    const vmFolder = await environment.finder().typedFolder('virtualMachine');
    const folder = await environment.session.soap.call('CreateFolder', vmFolder, { name: 'elsewhere' });
    await createMachine(environment, 'same', { cluster });
    const here = await ready('same');
    // In the same folder vCenter rejects the name, and neither cluster adopts the machine of the other.
    await createMachine(other, 'same', { cluster });
    const refused = await other.untilOne(
      vsphereVms,
      'same',
      (vm) => conditionOf(vm, 'VirtualMachineProvisioned')?.reason === 'TaskFailed',
    );
    expect(conditionOf(refused, 'VirtualMachineProvisioned')?.message).toContain(
      'another VM of this name: rename or delete it',
    );
    await removeFrom(other, 'same');
    await other.client.delete(secrets, { namespace: 'elsewhere', name: 'same-bootstrap' });
    await createMachine(other, 'same', { cluster, spec: { folder: '/DC0/vm/elsewhere' } });
    const there = await other.untilOne(vsphereVms, 'same', (vm) => vm.status?.ready);
    expect(there.spec.biosUUID).not.toBe(here.spec.biosUUID);
    expect(there.status?.vmRef).not.toBe(here.status?.vmRef);
    await remove('same');
    expect(await environment.machineNames()).toEqual(['elsewhere']);
    const machine = await environment.finder().find('virtualMachine', '/DC0/vm/elsewhere/same');
    expect(`VirtualMachine:${machine.value}`).toBe(there.status?.vmRef);
    await removeFrom(other, 'same');
    await waitForTask(environment.session.updates, await environment.session.soap.call('Destroy_Task', folder, {}));
    expect(await environment.machineNames()).toEqual([]);
  });

  it('reports the error of an exhausted pool, and continues when an address is free', async () => {
    await environment.start([clusterApiControllers]);
    const addresses = ['10.40.0.10'];
    await environment.create(inClusterIpPools, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
      kind: 'InClusterIPPool',
      metadata: { name: 'small', namespace },
      spec: { addresses, prefix: 24, gateway: '10.40.0.1' },
    });
    const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'small' };
    const network = { devices: [{ networkName: 'DC0_DVPG0', addressesFromPools: [poolRef] }] };
    await createMachine(environment, 'lucky', { cluster, spec: { network } });
    await ready('lucky');
    await createMachine(environment, 'late', { cluster, spec: { network } });
    const late = await environment.untilOne(vsphereVms, 'late', (vm) =>
      /small/.test(conditionOf(vm, 'IPAddressClaimsFulfilled')?.message ?? ''),
    );
    expect(conditionOf(late, 'IPAddressClaimsFulfilled')?.status).toBe('False');
    await environment.merge(inClusterIpPools, 'small', { spec: { addresses: [...addresses, '10.40.0.11'] } });
    await ready('late');
    for (const name of ['lucky', 'late']) await remove(name);
    await environment.until(ipAddressClaims, (claims) => claims.length === 0);
  });
});
