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
import { conditionOf, namespace, password, pool, templateName, VCenterEnvironment } from './vcenter-environment.js';

let environment: VCenterEnvironment;
const cluster = 'prod';

beforeAll(async () => {
  const own = { username: 'admin', password };
  environment = await VCenterEnvironment.start({ mode: { managerCredentials: async () => own } });
  await createCluster(environment, cluster);
  await provisionCluster(environment, cluster);
});
afterAll(() => environment.stop());
afterEach(() => environment.vcsim.clearFaults());

const provisioned = 'VirtualMachineProvisioned';
const vmState = (name: string, reason: string) =>
  environment.untilOne(vsphereVms, name, (vm) => conditionOf(vm, provisioned)?.reason === reason);
const ready = (name: string) => environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);

async function remove(name: string): Promise<void> {
  await environment.client.delete(vsphereMachines, { namespace, name });
  await environment.client.delete(machines, { namespace, name });
  await environment.untilNone(vsphereMachines, name);
}

async function run(task: Promise<ObjectRef>): Promise<unknown> {
  return waitForTask(environment.session.updates, await task);
}

const machineNamed = (name: string): Promise<ObjectRef> => environment.finder().find('virtualMachine', name);

describe('a machine', () => {
  it('is cloned, configured and powered on; its Machine gets its location [vsphere 4, 30]', async () => {
    await createMachine(environment, 'plain', { cluster });
    const vm = await ready('plain');
    const machine = await machineNamed('plain');
    const values = await retrieveOne(environment.session.soap, machine, [
      'config.instanceUuid',
      'config.uuid',
      'config.extraConfig',
    ]);
    expect(values['config.instanceUuid']).toBe(vm.metadata.uid);
    const options = new Map((values['config.extraConfig'] ?? []).map(({ key, value }) => [key, String(value)]));
    const text = (key: string): string => Buffer.from(options.get(key) ?? '', 'base64').toString();
    expect(text('guestinfo.userdata')).toBe('#cloud-config\nhostname: x\n');
    expect(text('guestinfo.metadata')).toContain('local-hostname: "plain"');
    // The status contains a moid, a reference and a moid.
    expect(vm.status).toMatchObject({ vmRef: `VirtualMachine:${machine.value}`, cloneMode: 'linkedClone' });
    expect(vm.status?.snapshot).toMatch(/^snapshot-\d+$/);
    expect(vm.status?.taskRef).toBeUndefined();
    const vsphereMachine = await environment.untilOne(
      vsphereMachines,
      'plain',
      (one) => one.status?.initialization?.provisioned,
    );
    expect(vsphereMachine.spec.providerID).toBe(`vsphere://${values['config.uuid']}`);
    expect(vsphereMachine.status?.addresses).toEqual([
      { type: 'ExternalIP', address: vm.status?.addresses?.[0] },
      { type: 'InternalDNS', address: 'plain' },
    ]);
    const owner = await environment.untilOne(
      machines,
      'plain',
      (one) => one.metadata.labels?.['node.cluster.x-k8s.io/esxi-host'] !== undefined,
    );
    expect(owner.metadata.labels?.['node.cluster.x-k8s.io/esxi-host']).toBe(vm.status?.host);
    expect(conditionOf(vm, 'VCenterAvailable')).toMatchObject({ status: 'True', reason: 'Available' });
    await remove('plain');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('never adopts a virtual machine that only has its name, and does not delete it [vsphere 2, 7]', async () => {
    const source = await machineNamed('DC0_C0_RP0_VM0');
    const folder = await environment.finder().typedFolder('virtualMachine');
    const location = { pool: await environment.finder().find('resourcePool', pool) };
    await run(
      environment.session.soap.call('CloneVM_Task', source, {
        folder,
        name: 'taken',
        spec: { location, template: false, powerOn: false },
      }),
    );
    const foreign = await machineNamed('taken');
    await createMachine(environment, 'taken', { cluster });
    const vm = await vmState('taken', 'TaskFailed');
    const condition = conditionOf(vm, provisioned);
    expect(condition?.message).toContain('DuplicateName');
    expect(condition?.message).toContain('another VM of this name: rename or delete it');
    expect(vm.status?.retryAfter).toBeDefined();
    await remove('taken');
    expect(await machineNamed('taken')).toEqual(foreign);
    expect((await retrieveOne(environment.session.soap, foreign, ['runtime.powerState']))['runtime.powerState']).toBe(
      'poweredOff',
    );
    await run(environment.session.soap.call('Destroy_Task', foreign, {}));
  });

  it('is not re-created when it was deleted in vCenter, stays provisioned, and can be deleted [vsphere 8, 10]', async () => {
    await createMachine(environment, 'lost', { cluster });
    await ready('lost');
    const machine = await machineNamed('lost');
    // Reject power-on, because the controller would power on the machine again before it can be destroyed.
    await environment.vcsim.fault({ method: 'PowerOnVM_Task', message: 'not now' });
    await run(environment.session.soap.call('PowerOffVM_Task', machine, {}));
    await run(environment.session.soap.call('Destroy_Task', machine, {}));
    const vm = await vmState('lost', 'NotFoundByBIOSUUID');
    expect(vm.status?.ready).toBe(true);
    expect((await environment.get(vsphereMachines, 'lost')).status?.initialization?.provisioned).toBe(true);
    expect(await environment.machineNames()).toEqual([]);
    await remove('lost');
  });

  it('is found by its BIOS UUID after it was renamed', async () => {
    await createMachine(environment, 'renamed', { cluster });
    await ready('renamed');
    await run(environment.session.soap.call('Rename_Task', await machineNamed('renamed'), { newName: 'another' }));
    await remove('renamed');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('reports objects of its spec that vCenter does not have, and continues once they exist', async () => {
    await createMachine(environment, 'early', { cluster, spec: { folder: '/DC0/vm/later' } });
    const vm = await vmState('early', 'NotProvisioned');
    expect(conditionOf(vm, provisioned)?.message).toBe("folder '/DC0/vm/later' not found");
    const folder = await environment.finder().typedFolder('virtualMachine');
    const created = await environment.session.soap.call('CreateFolder', folder, { name: 'later' });
    await ready('early');
    await remove('early');
    await run(environment.session.soap.call('Destroy_Task', created, {}));
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
  ])(
    'reports a missing or invalid %s, creates nothing, and can be deleted [vsphere 9]',
    async (what, spec, expected) => {
      const name = `bad-${what.replaceAll(' ', '-')}`;
      await createMachine(environment, name, { cluster, spec });
      const vm = await vmState(name, 'NotProvisioned');
      expect(conditionOf(vm, provisioned)?.message).toContain(expected);
      expect((await environment.get(vsphereMachines, name)).status?.conditions).toBeDefined();
      await remove(name);
      expect(await environment.machineNames()).toEqual([]);
    },
  );

  it('reports the error of vCenter, and continues once the operation is allowed', async () => {
    await environment.vcsim.fault({ method: 'CloneVM_Task', kind: 'NoPermission', message: 'not for you' });
    await createMachine(environment, 'refused', { cluster });
    const vm = await vmState('refused', 'NotProvisioned');
    expect(conditionOf(vm, provisioned)?.message).toContain('NoPermission');
    await environment.vcsim.clearFaults();
    await ready('refused');
    await remove('refused');
  });

  it('waits for addresses that a user sets', async () => {
    await createMachine(environment, 'static', {
      cluster,
      spec: { network: { devices: [{ networkName: 'DC0_DVPG0' }] } },
    });
    await vmState('static', 'WaitingForStaticIPAllocation');
    const devices = [{ networkName: 'DC0_DVPG0', ipAddrs: ['10.9.0.5/24'], gateway4: '10.9.0.1' }];
    await environment.merge(vsphereVms, 'static', { spec: { network: { devices } } });
    await ready('static');
    const { 'config.extraConfig': options = [] } = await retrieveOne(
      environment.session.soap,
      await machineNamed('static'),
      ['config.extraConfig'],
    );
    const metadata = Buffer.from(
      String(options.find(({ key }) => key === 'guestinfo.metadata')?.value),
      'base64',
    ).toString();
    expect(metadata).toContain('- "10.9.0.5/24"');
    await remove('static');
  });

  it('reports why vCenter rejected its deletion', async () => {
    await createMachine(environment, 'kept', { cluster });
    await ready('kept');
    // The simulator destroys every machine that is off, but rejects the deletion of a host with machines.
    const { 'runtime.host': host } = await retrieveOne(environment.session.soap, await machineNamed('kept'), [
      'runtime.host',
    ]);
    const refused = await environment.session.soap.call('Destroy_Task', host as ObjectRef, {});
    await expect(waitForTask(environment.session.updates, refused)).rejects.toThrow('ResourceInUse');
    await environment.merge(vsphereVms, 'kept', { status: { taskRef: refused.value } }, 'status');
    await environment.client.delete(vsphereMachines, { namespace, name: 'kept' });
    const kept = await environment.untilOne(
      vsphereMachines,
      'kept',
      (one) => (conditionOf(one, provisioned)?.message ?? '') !== '',
    );
    expect(conditionOf(kept, provisioned)).toMatchObject({ status: 'False', reason: 'Deleting' });
    expect(conditionOf(kept, provisioned)?.message).toContain(`HostSystem.destroy ${refused.value}`);
    await environment.merge(vsphereVms, 'kept', { status: { taskRef: null, retryAfter: null } }, 'status');
    await environment.client.delete(machines, { namespace, name: 'kept' });
    await environment.untilNone(vsphereMachines, 'kept');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('shuts its guest down once when VMware Tools run [vsphere 28, 29]', async () => {
    await createMachine(environment, 'gentle', { cluster, spec: { powerOffMode: 'soft' } });
    await ready('gentle');
    const before = (await environment.vcsim.calls())['ShutdownGuest'] ?? 0;
    await remove('gentle');
    expect((await environment.vcsim.calls())['ShutdownGuest']).toBe(before + 1);
    expect(await environment.machineNames()).toEqual([]);
  });

  it('is destroyed when it is suspended [vsphere 27]', async () => {
    await createMachine(environment, 'asleep', { cluster });
    await ready('asleep');
    await run(environment.session.soap.call('SuspendVM_Task', await machineNamed('asleep'), {}));
    await remove('asleep');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('has the addresses of its pools in its metadata, and releases them', async () => {
    await environment.create(inClusterIpPools, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
      kind: 'InClusterIPPool',
      metadata: { name: 'nodes', namespace },
      spec: { addresses: ['10.30.0.10-10.30.0.20'], prefix: 24, gateway: '10.30.0.1' },
    });
    const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'nodes' };
    const devices = [{ networkName: 'DC0_DVPG0', addressesFromPools: [poolRef] }];
    await createMachine(environment, 'pooled', { cluster, spec: { network: { devices } } });
    const claim = await environment.untilOne(
      ipAddressClaims,
      'pooled-0-0',
      (one) => one.metadata.finalizers !== undefined,
    );
    expect(claim.metadata.finalizers).toContain('vspherevm.infrastructure.cluster.x-k8s.io/ip-claim-protection');
    const waiting = await environment.untilOne(
      vsphereVms,
      'pooled',
      (vm) => conditionOf(vm, 'IPAddressClaimsFulfilled')?.status === 'False',
    );
    expect(conditionOf(waiting, 'IPAddressClaimsFulfilled')?.reason).toMatch(
      /IPAddressClaimsBeingCreated|WaitingForIPAddress/,
    );
    // The test simulates the pool's controller, which does not run here.
    await environment.create(ipAddresses, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
      kind: 'IPAddress',
      metadata: { name: 'pooled-0-0', namespace },
      spec: { claimRef: { name: 'pooled-0-0' }, poolRef, address: '10.30.0.10', prefix: 24, gateway: '10.30.0.1' },
    });
    await environment.merge(
      ipAddressClaims,
      'pooled-0-0',
      { status: { addressRef: { name: 'pooled-0-0' } } },
      'status',
    );
    await ready('pooled');
    const { 'config.extraConfig': options = [] } = await retrieveOne(
      environment.session.soap,
      await machineNamed('pooled'),
      ['config.extraConfig'],
    );
    const metadata = Buffer.from(
      String(options.find(({ key }) => key === 'guestinfo.metadata')?.value),
      'base64',
    ).toString();
    expect(metadata).toContain('addresses:\n      - "10.30.0.10/24"\n      gateway4: "10.30.0.1"');
    await remove('pooled');
    await environment.until(ipAddressClaims, (claims) =>
      claims.every(({ metadata }) => (metadata.finalizers ?? []).length === 0),
    );
  });

  it('stores secrets only in Secrets', async () => {
    await createMachine(environment, 'quiet', { cluster, bootstrap: '#cloud-config\npassword: hunter2\n' });
    await ready('quiet');
    const objects = [
      ...(await environment.list(vsphereVms)),
      ...(await environment.list(vsphereMachines)),
      ...(await environment.list(vsphereClusters)),
    ];
    const text = JSON.stringify(objects);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(Buffer.from('#cloud-config\npassword: hunter2\n').toString('base64'));
    expect(text).not.toContain('v&ry<secret>');
    await remove('quiet');
  });
});

describe('a cluster', () => {
  it('reports that vCenter rejects its credentials, and recovers when the Secret is corrected [vsphere 11]', async () => {
    await createCluster(environment, 'wrong');
    await provisionCluster(environment, 'wrong');
    await createMachine(environment, 'orphaned', { cluster: 'wrong' });
    await ready('orphaned');
    const bad = Buffer.from('bad-password').toString('base64');
    await environment.merge(secrets, 'wrong', { data: { password: bad } });
    await environment.merge(vsphereMachines, 'orphaned', { spec: { powerOffMode: 'hard' } });
    const vm = await environment.untilOne(
      vsphereVms,
      'orphaned',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(vm, 'VCenterAvailable')).toMatchObject({ reason: 'VCenterUnreachable' });
    expect(JSON.stringify(vm)).not.toContain('bad-password');
    await environment.merge(secrets, 'wrong', {
      data: { password: Buffer.from('v&ry<secret>').toString('base64') },
    });
    await remove('orphaned');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('is provisioned without an endpoint, and deletes its credentials when it is deleted [vsphere 37, 38]', async () => {
    await createCluster(environment, 'going');
    await provisionCluster(environment, 'going');
    const secret = await environment.get(secrets, 'going');
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'VSphereCluster', name: 'going' }]);
    expect(secret.metadata.finalizers).toEqual(['vspherecluster/infrastructure.cluster.x-k8s.io']);
    await environment.client.delete(vsphereClusters, { namespace, name: 'going' });
    await environment.untilNone(vsphereClusters, 'going');
    await environment.untilNone(secrets, 'going');
  });

  it('does not use the Secret of another cluster [vsphere 39, 40]', async () => {
    await createCluster(environment, 'first');
    await provisionCluster(environment, 'first');
    await createCluster(environment, 'second', { identityRef: { kind: 'Secret', name: 'first' } });
    const second = await environment.untilOne(
      vsphereClusters,
      'second',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(second, 'VCenterAvailable')?.message).toContain('another cluster has set the OwnerRef');
    await environment.client.delete(vsphereClusters, { namespace, name: 'second' });
    await environment.untilNone(vsphereClusters, 'second');
    expect((await environment.get(secrets, 'first')).metadata.deletionTimestamp).toBeUndefined();
  });

  it('uses one session for all of its objects', async () => {
    await Promise.all(['one', 'two', 'three'].map((name) => createMachine(environment, name, { cluster })));
    const before = (await environment.vcsim.calls())['Login'] ?? 0;
    await Promise.all(['one', 'two', 'three'].map(ready));
    expect((await environment.vcsim.calls())['Login']).toBe(before);
    await Promise.all(['one', 'two', 'three'].map(remove));
    expect(await environment.machineNames()).toEqual([]);
    expect(templateName).toBe(machineSpec.template);
  });
});
