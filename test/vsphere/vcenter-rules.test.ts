import { clusters, inClusterIpPools, ipAddressClaims, clusterApiControllers, machines } from '@slipway/cluster-api';
import { namespaces, type Resource, secrets } from '@slipway/runtime';
import { retrieveOne, vsphereClusters, vsphereMachines, vsphereVms, waitForTask } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectWorld } from '../../packages/vsphere/test/support/object-world.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, password, VCenterWorld } from './vcenter-world.js';

let world: VCenterWorld;
const cluster = 'prod';

beforeAll(async () => {
  const own = { username: 'admin', password };
  world = await VCenterWorld.start({ mode: { managerCredentials: async () => own } });
  await createCluster(world, cluster);
  await provisionCluster(world, cluster);
});
afterAll(() => world.stop());

const ready = (name: string) => world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const without = { metadata: { finalizers: null } };

const remove = (name: string): Promise<void> => removeFrom(world, name);

async function removeFrom(place: ObjectWorld, name: string): Promise<void> {
  const key = { namespace: place.namespace, name };
  await place.client.delete(vsphereMachines, key);
  await place.client.delete(machines, key);
  await place.untilNone(vsphereMachines, name);
}

describe('credentials', () => {
  const available = (status: string) =>
    world.untilOne(vsphereClusters, 'rotated', (one) => conditionOf(one, 'VCenterAvailable')?.status === status);
  const setPassword = (text: string) =>
    world.merge(secrets, 'rotated', { data: { password: Buffer.from(text).toString('base64') } });

  it('that change are used at once, though nothing else happens', async () => {
    await createCluster(world, 'rotated');
    await available('True');
    await setPassword('wrong');
    const refused = await available('False');
    expect(conditionOf(refused, 'VCenterAvailable')?.reason).toBe('VCenterUnreachable');
    await setPassword(password);
    await available('True');
  });

  it('of the manager serve clusters that name none', async () => {
    await createCluster(world, 'nameless', { identityRef: undefined });
    const found = await world.untilOne(vsphereClusters, 'nameless', (one) => one.status?.initialization?.provisioned);
    expect(conditionOf(found, 'VCenterAvailable')?.status).toBe('True');
  });
});

describe('a machine', () => {
  it('vsphere 42: of a cluster at rest says so, and nothing else is done for it', async () => {
    await world.merge(clusters, cluster, { spec: { paused: true } });
    await createMachine(world, 'resting', { cluster });
    const resting = await world.untilOne(
      vsphereMachines,
      'resting',
      (one) => conditionOf(one, 'Paused')?.status === 'True',
    );
    expect(resting.status?.conditions?.map(({ type }) => type)).toEqual(['Paused']);
    expect(await world.machineNames()).toEqual([]);
    await world.merge(clusters, cluster, { spec: { paused: false } });
    await ready('resting');
    await remove('resting');
  });

  it('vsphere 63: goes although its Machine, its VSphereMachine and its cluster are gone', async () => {
    await createCluster(world, 'vanished');
    await provisionCluster(world, 'vanished');
    await createMachine(world, 'left-over', { cluster: 'vanished' });
    await ready('left-over');
    await world.stopControllers();
    const parents = [
      [vsphereMachines, 'left-over'],
      [machines, 'left-over'],
      [vsphereClusters, 'vanished'],
      [clusters, 'vanished'],
    ] as unknown as readonly (readonly [Resource, string])[];
    for (const [resource, name] of parents) {
      await world.merge(resource, name, without);
      await world.client.delete(resource, { namespace, name });
    }
    await world.startControllers();
    await world.client.delete(vsphereVms, { namespace, name: 'left-over' });
    await world.untilNone(vsphereVms, 'left-over');
    expect(await world.machineNames()).toEqual([]);
  });

  it('has the name of another one in another folder, and each goes without the other', async () => {
    const vmFolder = await world.finder().typedFolder('virtualMachine');
    const folders = [];
    for (const name of ['team-a', 'team-b'])
      folders.push(await world.session.soap.call('CreateFolder', vmFolder, { name }));
    // Two clusters whose naming templates come to the same name of a machine.
    const naming = { template: 'twin-{{ .machine.name | trunc -1 }}' };
    const spec = (folder: string) => ({ folder: `/DC0/vm/${folder}`, naming });
    await createMachine(world, 'first-1', { cluster, spec: spec('team-a') });
    const first = await ready('twin-1');
    // In one namespace the objects would clash, and vCenter's machines would not.
    await createMachine(world, 'second-1', { cluster, spec: spec('team-b') });
    const second = await world.untilOne(
      vsphereMachines,
      'second-1',
      (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'NameTaken',
    );
    expect(conditionOf(second, 'VirtualMachineProvisioned')?.message).toContain('belongs to another VSphereMachine');
    await remove('second-1');
    const machine = await world.finder().find('virtualMachine', '/DC0/vm/team-a/twin-1');
    expect(`VirtualMachine:${machine.value}`).toBe(first.status?.vmRef);
    // Somebody else's machine of the same name in the other folder is never touched.
    const source = await world.finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const location = { pool: await world.finder().find('resourcePool', '/DC0/host/DC0_C0/Resources') };
    const parameters = {
      folder: folders[1] as never,
      name: 'twin-1',
      spec: { location, template: false, powerOn: false },
    };
    const task = await world.session.soap.call('CloneVM_Task', source, parameters);
    const other = (await waitForTask(world.session.updates, task)) as typeof machine;
    await remove('first-1');
    expect((await retrieveOne(world.session.soap, other, ['name'])).name).toBe('twin-1');
    for (const folder of folders)
      await waitForTask(world.session.updates, await world.session.soap.call('Destroy_Task', folder, {}));
    expect(await world.machineNames()).toEqual([]);
  });

  it('is not mixed up with one of a cluster that has all the same names in another namespace', async () => {
    const elsewhere = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } } as const;
    await world.client.create(namespaces, elsewhere);
    const other = Object.assign(new ObjectWorld(world.client, 'elsewhere'), { vcsim: world.vcsim });
    await createCluster(other, cluster);
    await provisionCluster(other, cluster);
    const vmFolder = await world.finder().typedFolder('virtualMachine');
    const folder = await world.session.soap.call('CreateFolder', vmFolder, { name: 'elsewhere' });
    await createMachine(world, 'same', { cluster });
    const here = await ready('same');
    // In the same folder vCenter refuses the name, and nobody takes the machine of the other for his own.
    await createMachine(other, 'same', { cluster });
    const refused = await other.untilOne(
      vsphereVms,
      'same',
      (vm) => conditionOf(vm, 'VirtualMachineProvisioned')?.reason === 'TaskFailed',
    );
    expect(conditionOf(refused, 'VirtualMachineProvisioned')?.message).toContain('not ours: rename or delete it');
    await removeFrom(other, 'same');
    await other.client.delete(secrets, { namespace: 'elsewhere', name: 'same-bootstrap' });
    await createMachine(other, 'same', { cluster, spec: { folder: '/DC0/vm/elsewhere' } });
    const there = await other.untilOne(vsphereVms, 'same', (vm) => vm.status?.ready);
    expect(there.spec.biosUUID).not.toBe(here.spec.biosUUID);
    expect(there.status?.vmRef).not.toBe(here.status?.vmRef);
    await remove('same');
    expect(await world.machineNames()).toEqual(['elsewhere']);
    const machine = await world.finder().find('virtualMachine', '/DC0/vm/elsewhere/same');
    expect(`VirtualMachine:${machine.value}`).toBe(there.status?.vmRef);
    await removeFrom(other, 'same');
    await waitForTask(world.session.updates, await world.session.soap.call('Destroy_Task', folder, {}));
    expect(await world.machineNames()).toEqual([]);
  });

  it('waits with the words of a pool that is used up, and goes on when there is room', async () => {
    await world.start([clusterApiControllers]);
    const addresses = ['10.40.0.10'];
    await world.create(inClusterIpPools, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
      kind: 'InClusterIPPool',
      metadata: { name: 'small', namespace },
      spec: { addresses, prefix: 24, gateway: '10.40.0.1' },
    });
    const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'small' };
    const network = { devices: [{ networkName: 'DC0_DVPG0', addressesFromPools: [poolRef] }] };
    await createMachine(world, 'lucky', { cluster, spec: { network } });
    await ready('lucky');
    await createMachine(world, 'late', { cluster, spec: { network } });
    const late = await world.untilOne(vsphereVms, 'late', (vm) =>
      /small/.test(conditionOf(vm, 'IPAddressClaimsFulfilled')?.message ?? ''),
    );
    expect(conditionOf(late, 'IPAddressClaimsFulfilled')?.status).toBe('False');
    await world.merge(inClusterIpPools, 'small', { spec: { addresses: [...addresses, '10.40.0.11'] } });
    await ready('late');
    for (const name of ['lucky', 'late']) await remove(name);
    await world.until(ipAddressClaims, (claims) => claims.length === 0);
  });
});
