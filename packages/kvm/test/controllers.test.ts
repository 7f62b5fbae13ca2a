import { clusters, inClusterIpPools, ipAddressClaims, machines } from '@slipway/cluster-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GivenEndpoint, kvmClusters, kvmMachines } from '../src/index.js';
import { FakeService } from './support/fake-service.js';
import { conditionOf, KVMPlane, keyOf } from './support/kvm-plane.js';

let service: FakeService;
let plane: KVMPlane;
beforeEach(async () => {
  service = new FakeService();
  plane = await KVMPlane.start({ services: [service], endpoints: [new GivenEndpoint()] });
});
afterEach(() => plane.stop());

const external = {
  controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
  controlPlaneExposure: { type: 'External' as const },
};

async function provisioned(spec = {}): Promise<void> {
  await plane.createCluster('one', { ...external, ...spec });
  await plane.provisionCluster('one');
}

describe('a KVMCluster', () => {
  it('creates an IP pool, and is ready for managers of both contracts', async () => {
    await provisioned({ failureDomains: [{ name: 'rack-a', controlPlane: true }] });
    const { spec } = await plane.client.get(inClusterIpPools, keyOf('one'));
    expect(spec).toEqual({ addresses: ['172.30.0.10-172.30.0.250'], prefix: 24, excludedAddresses: ['10.0.0.1'] });
    const { status } = await plane.client.get(kvmClusters, keyOf('one'));
    expect(status).toMatchObject({
      ready: true,
      initialization: { provisioned: true },
      failureDomains: [{ name: 'rack-a', controlPlane: true }],
    });
    const before = { ...kvmClusters, version: 'v1beta1' };
    expect((await plane.client.get(before, keyOf('one')))['status']).toMatchObject({
      ready: true,
      failureDomains: { 'rack-a': { controlPlane: true } },
    });
  });

  it('keeps its endpoint [kvm 29]', async () => {
    await provisioned();
    const patch = { spec: { controlPlaneEndpoint: { host: '10.0.0.2' } } };
    await expect(plane.client.patch(kvmClusters, keyOf('one'), { type: 'merge', patch })).rejects.toThrow(
      'spec.controlPlaneEndpoint.host: Forbidden: is 10.0.0.1 and cannot be changed once set',
    );
  });

  it('is deleted after its machines [kvm 32]', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    await plane.client.delete(kvmClusters, keyOf('one'));
    await plane.client.delete(clusters, keyOf('one'));
    expect((await plane.client.get(kvmClusters, keyOf('one'))).metadata.finalizers).toHaveLength(1);
    await plane.client.delete(kvmMachines, keyOf('first'));
    await plane.untilGone(kvmMachines, keyOf('first'));
    await plane.untilGone(kvmClusters, keyOf('one'));
  });
});

describe('a KVMMachine', () => {
  it('has its finalizer and its identity in the spec before the virtual machine is created [kvm 2, 3, 33]', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one', controlPlane: true });
    const { spec, status } = await plane.untilMachine('first', (one) => one.status?.ready === true);
    const uuid = spec?.providerID?.slice('kvm://'.length) ?? '';
    const desired = service.machines.get(uuid)?.kvmMachine;
    expect(desired?.metadata.finalizers).toEqual(['kvmmachine.infrastructure.cluster.x-k8s.io']);
    expect(desired?.spec).toMatchObject({
      providerID: `kvm://${uuid}`,
      backend: 'local',
      hostName: 'here',
      network: { macAddress: expect.stringMatching(/^52:54:00:/), ipAddresses: ['172.30.0.10/24'] },
      iscsi: { initiatorName: `iqn.2016-04.com.coreos.iscsi:one-${uuid}` },
    });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid).not.toBe(desired?.metadata.uid);
    expect(status).toMatchObject({ machineState: 'running', initialization: { provisioned: true } });
  });

  it('has a unique initiator name and unique addresses [kvm 37]', async () => {
    await provisioned();
    for (const name of ['first', 'second']) await plane.createMachine(name, { cluster: 'one' });
    const both = await Promise.all(
      ['first', 'second'].map((name) => plane.untilMachine(name, (one) => one.status?.ready === true)),
    );
    for (const read of [
      (one: (typeof both)[number]) => one.spec?.iscsi?.initiatorName,
      (one: (typeof both)[number]) => one.spec?.network?.macAddress,
      (one: (typeof both)[number]) => one.spec?.network?.ipAddresses?.[0],
    ])
      expect(new Set(both.map(read)).size).toBe(2);
  });

  it('reports an exhausted IP pool, and continues once an address is free', async () => {
    await provisioned({ network: { ipRange: '172.30.0.10-172.30.0.10', cidr: '172.30.0.0/24' } });
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    await plane.createMachine('second', { cluster: 'one' });
    const reported = await plane.waitForMachine('second', 'VMProvisioned', 'AllocationExhausted');
    expect(conditionOf(reported, 'VMProvisioned')?.message).toContain('IPAddressClaim second has no address yet: ');
    await plane.client.delete(kvmMachines, keyOf('first'));
    await plane.untilMachine('second', (one) => one.status?.ready === true);
  });

  it('rejects a second machine in user mode, which has one address [kvm 9]', async () => {
    await provisioned({ network: { mode: 'user' } });
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    await plane.createMachine('second', { cluster: 'one' });
    const reported = await plane.waitForMachine('second', 'VMProvisioned', 'InvalidSpec');
    expect(conditionOf(reported, 'VMProvisioned')?.message).toContain(
      'every machine has address 10.0.2.15, which KVMMachine first already uses',
    );
  });

  it('stays provisioned when it crashes [kvm 30]', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    const running = { type: 'VMRunning', status: 'False' as const, reason: 'Crashed', message: 'it exited' };
    service.report = { state: 'terminated', conditions: [running] };
    const patch = { metadata: { annotations: { look: 'again' } } };
    await plane.client.patch(kvmMachines, keyOf('first'), { type: 'merge', patch });
    const { status } = await plane.waitForMachine('first', 'VMRunning', 'Crashed');
    expect(status).toMatchObject({ machineState: 'terminated', ready: true, initialization: { provisioned: true } });
    expect(conditionOf({ status }, 'Ready')?.status).toBe('False');
  });

  it('is treated as provisioned after a move dropped its status [kvm 8]', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one' });
    const { spec } = await plane.untilMachine('first', (one) => one.status?.ready === true);
    const id = { spec: { providerID: spec?.providerID } };
    await plane.client.patch(machines, keyOf('first'), { type: 'merge', patch: id });
    const gone = { type: 'merge' as const, patch: { status: null } };
    await plane.client.patch(kvmMachines, keyOf('first'), gone, { subresource: 'status' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    expect(service.machines.get(spec?.providerID?.slice(6) ?? '')?.wasProvisioned).toBe(true);
  });

  it('is not reconciled while paused, including by the annotation of the legacy operator [kvm 31]', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    const paused = { metadata: { annotations: { 'operatorkit.giantswarm.io/paused': 'true' } } };
    await plane.client.patch(kvmMachines, keyOf('first'), { type: 'merge', patch: paused });
    const reported = await plane.untilMachine('first', (one) => conditionOf(one, 'Paused')?.status === 'True');
    expect(conditionOf(reported, 'Paused')?.message).toBe(
      'KVMMachine has the operatorkit.giantswarm.io/paused annotation',
    );
    await plane.client.delete(kvmMachines, keyOf('first'));
    await plane.untilMachine('first', (one) => one.metadata.deletionTimestamp !== undefined);
    expect(service.removed).toEqual([]);
    const resumption = { metadata: { annotations: { 'operatorkit.giantswarm.io/paused': null } } };
    await plane.client.patch(kvmMachines, keyOf('first'), { type: 'merge', patch: resumption });
    await plane.untilGone(kvmMachines, keyOf('first'));
    expect(service.removed).toHaveLength(1);
  });

  it('keeps its finalizer and its address until the virtual machine is deleted', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one' });
    await plane.untilMachine('first', (one) => one.status?.ready === true);
    service.isStubborn = true;
    await plane.client.delete(kvmMachines, keyOf('first'));
    const reported = await plane.waitForMachine('first', 'Deleting', 'ShuttingDown');
    expect(reported.status?.machineState).toBe('shutting-down');
    await plane.client.get(ipAddressClaims, keyOf('first'));
    service.isStubborn = false;
    await plane.untilGone(kvmMachines, keyOf('first'));
    await plane.untilGone(ipAddressClaims, keyOf('first'));
  });

  it('of another host is not changed unless it is force-deleted', async () => {
    await provisioned();
    await plane.createMachine('first', {
      cluster: 'one',
      spec: { hostName: 'elsewhere', providerID: `kvm://1d3c7a52-0000-4000-8000-000000000001` },
    });
    const reported = await plane.waitForMachine('first', 'VMProvisioned', 'HostUnreachable');
    expect(conditionOf(reported, 'VMProvisioned')?.message).toContain('runs on host elsewhere, but this host is here');
    await plane.client.delete(kvmMachines, keyOf('first'));
    await plane.waitForMachine('first', 'Deleting', 'HostUnreachable');
    const force = { metadata: { annotations: { 'infrastructure.cluster.x-k8s.io/force-delete': '' } } };
    await plane.client.patch(kvmMachines, keyOf('first'), { type: 'merge', patch: force });
    await plane.untilGone(kvmMachines, keyOf('first'));
    expect(service.machines.size).toBe(0);
  });

  it.each([
    { name: 'a size', spec: { resources: { memory: '1Mi' } }, expected: 'must be at least 32Mi' },
    {
      name: 'a model',
      spec: { accelerator: 'tcg' as const, cpuModel: 'host' },
      expected: 'CPU model host requires accelerator kvm',
    },
    { name: 'a kernel', spec: { bootMode: 'kernel' as const }, expected: 'required with boot mode kernel' },
    {
      name: 'an address',
      spec: { network: { ipAddresses: ['10.0.0.1'] } },
      expected: 'must be an IP address with a prefix length',
    },
    {
      name: 'a folder',
      spec: { hostVolumes: [{ mountTag: 'a', hostPath: '/a/../b' }] },
      expected: 'must not contain ..',
    },
  ])('is rejected with an invalid $name', async ({ spec, expected }) => {
    await expect(plane.createMachine('wrong', { cluster: 'one', spec })).rejects.toThrow(expected);
  });

  it('is immutable, and accepts the legacy name of its resources', async () => {
    await provisioned();
    await plane.createMachine('first', { cluster: 'one', spec: { resourceRequirements: { cpu: 3 } } });
    const { spec } = await plane.client.get(kvmMachines, keyOf('first'));
    expect(spec?.resources).toEqual({ cpu: 3, memory: '4Gi', disk: '20Gi' });
    const patch = { spec: { resources: { cpu: 4 } } };
    await expect(plane.client.patch(kvmMachines, keyOf('first'), { type: 'merge', patch })).rejects.toThrow(
      'spec: Forbidden: cannot be modified: replace the Machine',
    );
  });
});
