import { ipAddressClaims, ipAddresses, inClusterIpPools, machines } from '@slipway/cluster-api';
import { secrets } from '@slipway/runtime';
import {
  type ObjectRef,
  retrieveOne,
  vsphereClusters,
  vsphereMachines,
  vsphereVms,
  waitForTask,
} from '@slipway/vsphere';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, machineSpec, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, password, pool, templateName, VCenterWorld } from './vcenter-world.js';

let world: VCenterWorld;
const cluster = 'prod';

beforeAll(async () => {
  const own = { username: 'admin', password };
  world = await VCenterWorld.start({ mode: { managerCredentials: async () => own } });
  await createCluster(world, cluster);
  await provisionCluster(world, cluster);
});
afterAll(() => world.stop());
afterEach(() => world.vcsim.clearFaults());

const provisioned = 'VirtualMachineProvisioned';
const vmState = (name: string, reason: string) =>
  world.untilOne(vsphereVms, name, (vm) => conditionOf(vm, provisioned)?.reason === reason);
const ready = (name: string) => world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);

async function remove(name: string): Promise<void> {
  await world.client.delete(vsphereMachines, { namespace, name });
  await world.client.delete(machines, { namespace, name });
  await world.untilNone(vsphereMachines, name);
}

async function run(task: Promise<ObjectRef>): Promise<unknown> {
  return waitForTask(world.session.updates, await task);
}

const machineNamed = (name: string): Promise<ObjectRef> => world.finder().find('virtualMachine', name);

describe('a machine', () => {
  it('vsphere 4, 30: is cloned, told who it is and powered on; its Machine learns where it runs', async () => {
    await createMachine(world, 'plain', { cluster });
    const vm = await ready('plain');
    const machine = await machineNamed('plain');
    const values = await retrieveOne(world.session.soap, machine, [
      'config.instanceUuid',
      'config.uuid',
      'config.extraConfig',
    ]);
    expect(values['config.instanceUuid']).toBe(vm.metadata.uid);
    const options = new Map((values['config.extraConfig'] ?? []).map(({ key, value }) => [key, String(value)]));
    const text = (key: string): string => Buffer.from(options.get(key) ?? '', 'base64').toString();
    expect(text('guestinfo.userdata')).toBe('#cloud-config\nhostname: x\n');
    expect(text('guestinfo.metadata')).toContain('local-hostname: "plain"');
    // What the status stores is a moid, a reference and a moid.
    expect(vm.status).toMatchObject({ vmRef: `VirtualMachine:${machine.value}`, cloneMode: 'linkedClone' });
    expect(vm.status?.snapshot).toMatch(/^snapshot-\d+$/);
    expect(vm.status?.taskRef).toBeUndefined();
    const vsphereMachine = await world.untilOne(
      vsphereMachines,
      'plain',
      (one) => one.status?.initialization?.provisioned,
    );
    expect(vsphereMachine.spec.providerID).toBe(`vsphere://${values['config.uuid']}`);
    expect(vsphereMachine.status?.addresses).toEqual([
      { type: 'ExternalIP', address: vm.status?.addresses?.[0] },
      { type: 'InternalDNS', address: 'plain' },
    ]);
    const owner = await world.untilOne(
      machines,
      'plain',
      (one) => one.metadata.labels?.['node.cluster.x-k8s.io/esxi-host'] !== undefined,
    );
    expect(owner.metadata.labels?.['node.cluster.x-k8s.io/esxi-host']).toBe(vm.status?.host);
    expect(conditionOf(vm, 'VCenterAvailable')).toMatchObject({ status: 'True', reason: 'Available' });
    await remove('plain');
    expect(await world.machineNames()).toEqual([]);
  });

  it('vsphere 2, 7: never takes a machine that merely has its name, and leaves it alone when it goes', async () => {
    const source = await machineNamed('DC0_C0_RP0_VM0');
    const folder = await world.finder().typedFolder('virtualMachine');
    const location = { pool: await world.finder().find('resourcePool', pool) };
    await run(
      world.session.soap.call('CloneVM_Task', source, {
        folder,
        name: 'taken',
        spec: { location, template: false, powerOn: false },
      }),
    );
    const foreign = await machineNamed('taken');
    await createMachine(world, 'taken', { cluster });
    const vm = await vmState('taken', 'TaskFailed');
    const condition = conditionOf(vm, provisioned);
    expect(condition?.message).toContain('DuplicateName');
    expect(condition?.message).toContain('which is not ours: rename or delete it');
    expect(vm.status?.retryAfter).toBeDefined();
    await remove('taken');
    expect(await machineNamed('taken')).toEqual(foreign);
    expect((await retrieveOne(world.session.soap, foreign, ['runtime.powerState']))['runtime.powerState']).toBe(
      'poweredOff',
    );
    await run(world.session.soap.call('Destroy_Task', foreign, {}));
  });

  it('vsphere 8, 10: is not made again when somebody deleted it, stays provisioned, and can go', async () => {
    await createMachine(world, 'lost', { cluster });
    await ready('lost');
    const machine = await machineNamed('lost');
    // Else it is powered on again before it can be destroyed.
    await world.vcsim.fault({ method: 'PowerOnVM_Task', message: 'not now' });
    await run(world.session.soap.call('PowerOffVM_Task', machine, {}));
    await run(world.session.soap.call('Destroy_Task', machine, {}));
    const vm = await vmState('lost', 'NotFoundByBIOSUUID');
    expect(vm.status?.ready).toBe(true);
    expect((await world.get(vsphereMachines, 'lost')).status?.initialization?.provisioned).toBe(true);
    expect(await world.machineNames()).toEqual([]);
    await remove('lost');
  });

  it('is found by its BIOS UUID when somebody renamed it', async () => {
    await createMachine(world, 'renamed', { cluster });
    await ready('renamed');
    await run(world.session.soap.call('Rename_Task', await machineNamed('renamed'), { newName: 'another' }));
    await remove('renamed');
    expect(await world.machineNames()).toEqual([]);
  });

  it('says what its spec names and vCenter does not have, and goes on once it is there', async () => {
    await createMachine(world, 'early', { cluster, spec: { folder: '/DC0/vm/later' } });
    const vm = await vmState('early', 'NotProvisioned');
    expect(conditionOf(vm, provisioned)?.message).toBe("folder '/DC0/vm/later' not found");
    const folder = await world.finder().typedFolder('virtualMachine');
    const created = await world.session.soap.call('CreateFolder', folder, { name: 'later' });
    await ready('early');
    await remove('early');
    await run(world.session.soap.call('Destroy_Task', created, {}));
  });

  it.each([
    ['template', { template: 'none' }, "virtual machine 'none' not found"],
    ['network', { network: { devices: [{ networkName: 'none', dhcp4: true }] } }, "network 'none' not found"],
    ['datastore', { datastore: 'none' }, "datastore 'none' not found"],
    ['resource pool', { resourcePool: 'none' }, "resource pool 'none' not found"],
    ['ambiguous resource pool', { resourcePool: undefined }, 'default resource pool resolves to multiple instances'],
    ['datacenter', { datacenter: 'none' }, "datacenter 'none' not found"],
    ['storage policy', { storagePolicyName: 'none' }, "storage policy 'none' not found"],
    ['smaller disk', { cloneMode: 'fullClone', diskGiB: 1 }, "can't resize template disk down"],
  ])('vsphere 9: names a missing or wrong %s, makes nothing, and can go', async (what, spec, words) => {
    const name = `bad-${what.replaceAll(' ', '-')}`;
    await createMachine(world, name, { cluster, spec });
    const vm = await vmState(name, 'NotProvisioned');
    expect(conditionOf(vm, provisioned)?.message).toContain(words);
    expect((await world.get(vsphereMachines, name)).status?.conditions).toBeDefined();
    await remove(name);
    expect(await world.machineNames()).toEqual([]);
  });

  it('keeps the words of vCenter when it refuses something, and goes on once it may', async () => {
    await world.vcsim.fault({ method: 'CloneVM_Task', kind: 'NoPermission', message: 'not for you' });
    await createMachine(world, 'refused', { cluster });
    const vm = await vmState('refused', 'NotProvisioned');
    expect(conditionOf(vm, provisioned)?.message).toContain('NoPermission');
    await world.vcsim.clearFaults();
    await ready('refused');
    await remove('refused');
  });

  it('waits for addresses that somebody else gives', async () => {
    await createMachine(world, 'static', { cluster, spec: { network: { devices: [{ networkName: 'DC0_DVPG0' }] } } });
    await vmState('static', 'WaitingForStaticIPAllocation');
    const devices = [{ networkName: 'DC0_DVPG0', ipAddrs: ['10.9.0.5/24'], gateway4: '10.9.0.1' }];
    await world.merge(vsphereVms, 'static', { spec: { network: { devices } } });
    await ready('static');
    const { 'config.extraConfig': options = [] } = await retrieveOne(world.session.soap, await machineNamed('static'), [
      'config.extraConfig',
    ]);
    const metadata = Buffer.from(
      String(options.find(({ key }) => key === 'guestinfo.metadata')?.value),
      'base64',
    ).toString();
    expect(metadata).toContain('- "10.9.0.5/24"');
    await remove('static');
  });

  it('says why vCenter did not let it go', async () => {
    await createMachine(world, 'kept', { cluster });
    await ready('kept');
    // The simulator refuses to destroy no machine that is off, but a host that has one.
    const { 'runtime.host': host } = await retrieveOne(world.session.soap, await machineNamed('kept'), [
      'runtime.host',
    ]);
    const refused = await world.session.soap.call('Destroy_Task', host as ObjectRef, {});
    await expect(waitForTask(world.session.updates, refused)).rejects.toThrow('ResourceInUse');
    await world.merge(vsphereVms, 'kept', { status: { taskRef: refused.value } }, 'status');
    await world.client.delete(vsphereMachines, { namespace, name: 'kept' });
    const kept = await world.untilOne(
      vsphereMachines,
      'kept',
      (one) => (conditionOf(one, provisioned)?.message ?? '') !== '',
    );
    expect(conditionOf(kept, provisioned)).toMatchObject({ status: 'False', reason: 'Deleting' });
    expect(conditionOf(kept, provisioned)?.message).toContain(`HostSystem.destroy ${refused.value}`);
    await world.merge(vsphereVms, 'kept', { status: { taskRef: null, retryAfter: null } }, 'status');
    await world.client.delete(machines, { namespace, name: 'kept' });
    await world.untilNone(vsphereMachines, 'kept');
    expect(await world.machineNames()).toEqual([]);
  });

  it('vsphere 28, 29: shuts its guest down when its tools run, without being asked again', async () => {
    await createMachine(world, 'gentle', { cluster, spec: { powerOffMode: 'soft' } });
    await ready('gentle');
    const before = (await world.vcsim.calls())['ShutdownGuest'] ?? 0;
    await remove('gentle');
    expect((await world.vcsim.calls())['ShutdownGuest']).toBe(before + 1);
    expect(await world.machineNames()).toEqual([]);
  });

  it('vsphere 27: is destroyed when it is suspended', async () => {
    await createMachine(world, 'asleep', { cluster });
    await ready('asleep');
    await run(world.session.soap.call('SuspendVM_Task', await machineNamed('asleep'), {}));
    await remove('asleep');
    expect(await world.machineNames()).toEqual([]);
  });

  it('has the addresses of its pools in its metadata, and gives them back', async () => {
    await world.create(inClusterIpPools, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
      kind: 'InClusterIPPool',
      metadata: { name: 'nodes', namespace },
      spec: { addresses: ['10.30.0.10-10.30.0.20'], prefix: 24, gateway: '10.30.0.1' },
    });
    const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'nodes' };
    const devices = [{ networkName: 'DC0_DVPG0', addressesFromPools: [poolRef] }];
    await createMachine(world, 'pooled', { cluster, spec: { network: { devices } } });
    const claim = await world.untilOne(ipAddressClaims, 'pooled-0-0', (one) => one.metadata.finalizers !== undefined);
    expect(claim.metadata.finalizers).toContain('vspherevm.infrastructure.cluster.x-k8s.io/ip-claim-protection');
    const waiting = await world.untilOne(
      vsphereVms,
      'pooled',
      (vm) => conditionOf(vm, 'IPAddressClaimsFulfilled')?.status === 'False',
    );
    expect(conditionOf(waiting, 'IPAddressClaimsFulfilled')?.reason).toMatch(
      /IPAddressClaimsBeingCreated|WaitingForIPAddress/,
    );
    // The test plays the pool's controller, which does not run here.
    await world.create(ipAddresses, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
      kind: 'IPAddress',
      metadata: { name: 'pooled-0-0', namespace },
      spec: { claimRef: { name: 'pooled-0-0' }, poolRef, address: '10.30.0.10', prefix: 24, gateway: '10.30.0.1' },
    });
    await world.merge(ipAddressClaims, 'pooled-0-0', { status: { addressRef: { name: 'pooled-0-0' } } }, 'status');
    await ready('pooled');
    const { 'config.extraConfig': options = [] } = await retrieveOne(world.session.soap, await machineNamed('pooled'), [
      'config.extraConfig',
    ]);
    const metadata = Buffer.from(
      String(options.find(({ key }) => key === 'guestinfo.metadata')?.value),
      'base64',
    ).toString();
    expect(metadata).toContain('addresses:\n      - "10.30.0.10/24"\n      gateway4: "10.30.0.1"');
    await remove('pooled');
    await world.until(ipAddressClaims, (claims) =>
      claims.every(({ metadata }) => (metadata.finalizers ?? []).length === 0),
    );
  });

  it('holds no secret in any object but its Secrets', async () => {
    await createMachine(world, 'quiet', { cluster, bootstrap: '#cloud-config\npassword: hunter2\n' });
    await ready('quiet');
    const objects = [
      ...(await world.list(vsphereVms)),
      ...(await world.list(vsphereMachines)),
      ...(await world.list(vsphereClusters)),
    ];
    const text = JSON.stringify(objects);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(Buffer.from('#cloud-config\npassword: hunter2\n').toString('base64'));
    expect(text).not.toContain('v&ry<secret>');
    await remove('quiet');
  });
});

describe('a cluster', () => {
  it('vsphere 11: says that vCenter does not know its credentials, and recovers when the Secret is right', async () => {
    await createCluster(world, 'wrong');
    await provisionCluster(world, 'wrong');
    await createMachine(world, 'orphaned', { cluster: 'wrong' });
    await ready('orphaned');
    const bad = Buffer.from('bad-password').toString('base64');
    await world.merge(secrets, 'wrong', { data: { password: bad } });
    await world.merge(vsphereMachines, 'orphaned', { spec: { powerOffMode: 'hard' } });
    const vm = await world.untilOne(
      vsphereVms,
      'orphaned',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(vm, 'VCenterAvailable')).toMatchObject({ reason: 'VCenterUnreachable' });
    expect(JSON.stringify(vm)).not.toContain('bad-password');
    await world.merge(secrets, 'wrong', {
      data: { password: Buffer.from('v&ry<secret>').toString('base64') },
    });
    await remove('orphaned');
    expect(await world.machineNames()).toEqual([]);
  });

  it('vsphere 37, 38: is provisioned without an endpoint, and takes its credentials along when it goes', async () => {
    await createCluster(world, 'going');
    await provisionCluster(world, 'going');
    const secret = await world.get(secrets, 'going');
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'VSphereCluster', name: 'going' }]);
    expect(secret.metadata.finalizers).toEqual(['vspherecluster/infrastructure.cluster.x-k8s.io']);
    await world.client.delete(vsphereClusters, { namespace, name: 'going' });
    await world.untilNone(vsphereClusters, 'going');
    await world.untilNone(secrets, 'going');
  });

  it('vsphere 39, 40: does not take the Secret of another cluster', async () => {
    await createCluster(world, 'first');
    await provisionCluster(world, 'first');
    await createCluster(world, 'second', { identityRef: { kind: 'Secret', name: 'first' } });
    const second = await world.untilOne(
      vsphereClusters,
      'second',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(second, 'VCenterAvailable')?.message).toContain('another cluster has set the OwnerRef');
    await world.client.delete(vsphereClusters, { namespace, name: 'second' });
    await world.untilNone(vsphereClusters, 'second');
    expect((await world.get(secrets, 'first')).metadata.deletionTimestamp).toBeUndefined();
  });

  it('uses one session for all of its objects', async () => {
    await Promise.all(['one', 'two', 'three'].map((name) => createMachine(world, name, { cluster })));
    const before = (await world.vcsim.calls())['Login'] ?? 0;
    await Promise.all(['one', 'two', 'three'].map(ready));
    expect((await world.vcsim.calls())['Login']).toBe(before);
    await Promise.all(['one', 'two', 'three'].map(remove));
    expect(await world.machineNames()).toEqual([]);
    expect(templateName).toBe(machineSpec.template);
  });
});
