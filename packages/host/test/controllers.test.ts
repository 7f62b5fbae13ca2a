import { clusters, inClusterIpPools, ipAddressClaims } from '@slipway/cluster-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostClusters, hostMachines } from '../src/api/index.js';
import { FakeEngine } from './fake-engine.js';
import { conditionOf, HostPlane, namespace } from './host-plane.js';

let engine: FakeEngine;
let plane: HostPlane;
beforeEach(async () => {
  engine = new FakeEngine();
  plane = await HostPlane.start(engine);
});
afterEach(() => plane.stop());
const keyOf = (name: string) => ({ namespace, name });

describe('a HostCluster', () => {
  it('gets a network, a pool of its addresses and an endpoint', async () => {
    await plane.createCluster('one');
    const { spec, metadata } = await plane.provisionCluster('one');
    expect(spec).toEqual({
      network: { cidr: '10.231.0.0/24' },
      controlPlaneEndpoint: { host: '10.231.0.2', port: 6443 },
    });
    expect(engine.networks.get(metadata.uid ?? '')).toMatchObject({ cidr: '10.231.0.0/24', gateway: '10.231.0.1' });
    const pool = await plane.client.get(inClusterIpPools, keyOf('one'));
    expect(pool.spec).toEqual({ addresses: ['10.231.0.3-10.231.0.254'], prefix: 24, gateway: '10.231.0.1' });
  });

  it('gets a network that no other cluster uses', async () => {
    engine.routes.set('10.231.1.0/24', '10.231.1.0/24 dev eth0');
    await plane.createCluster('one');
    await plane.provisionCluster('one');
    await plane.createCluster('two');
    const { spec } = await plane.provisionCluster('two');
    expect(spec?.network?.cidr).toBe('10.231.2.0/24');
  });

  it('reports that its network is in use on this host, and continues when it is free', async () => {
    engine.routes.set('10.5.0.0/24', '10.0.0.0/8 dev tun0');
    await plane.createCluster('one', { network: { cidr: '10.5.0.0/24' } });
    const reported = await plane.until(
      hostClusters,
      keyOf('one'),
      (one) => conditionOf(one, 'NetworkProvisioned')?.reason === 'NetworkTaken',
    );
    expect(conditionOf(reported, 'NetworkProvisioned')?.message).toBe(
      'this host already has a route into 10.5.0.0/24 (10.0.0.0/8 dev tun0): set spec.network.cidr',
    );
    engine.routes.clear();
    await plane.provisionCluster('one');
  });

  it('is not ready before its load balancer answers', async () => {
    engine.silentLog = '/networks/one/log';
    await plane.createCluster('one');
    const reported = await plane.until(
      hostClusters,
      keyOf('one'),
      (one) => conditionOf(one, 'LoadBalancerAvailable')?.reason === 'BalancerSilent',
    );
    expect(conditionOf(reported, 'LoadBalancerAvailable')?.message).toBe(
      'the load balancer does not respond: see /networks/one/log',
    );
    expect(reported.status?.initialization).toBeUndefined();
    engine.silentLog = undefined;
    await plane.provisionCluster('one');
  });

  it('reports unmet requirements of the host, and changes nothing', async () => {
    engine.missing = [
      'Linux namespaces and mounts require root: run `slipway up` as root',
      'the program ip is missing',
    ];
    await plane.createCluster('one');
    const reported = await plane.until(
      hostClusters,
      keyOf('one'),
      (one) => conditionOf(one, 'Ready')?.status === 'False',
    );
    expect(conditionOf(reported, 'NetworkProvisioned')).toMatchObject({
      status: 'False',
      reason: 'HostNotSupported',
      message: 'Linux namespaces and mounts require root: run `slipway up` as root; the program ip is missing',
    });
    expect(engine.networks.size).toBe(0);
    await plane.client.delete(clusters, keyOf('one'));
    await plane.client.delete(hostClusters, keyOf('one'));
    await plane.untilGone(hostClusters, keyOf('one'));
  });
});

describe('a HostMachine', () => {
  beforeEach(async () => {
    await plane.createCluster('one');
    await plane.provisionCluster('one');
  });

  it('is started with an address of the pool and its bootstrap data', async () => {
    await plane.createMachine('cp-1', {
      cluster: 'one',
      controlPlane: true,
      data: '## template: jinja\n#cloud-config\nruncmd: ["kubeadm init {{ ds.meta_data.local_hostname }}"]\n',
    });
    const { spec, status } = await plane.waitForMachine('cp-1', 'Ready', 'Ready');
    expect(spec?.providerID).toBe('host://default/cp-1');
    expect(status?.initialization).toEqual({ provisioned: true });
    expect(status?.addresses).toEqual([
      { type: 'InternalIP', address: '10.231.0.3' },
      { type: 'Hostname', address: 'cp-1' },
    ]);
    const started = engine.named('cp-1');
    expect(started).toMatchObject({
      address: '10.231.0.3/24',
      gateway: '10.231.0.1',
      providerId: 'host://default/cp-1',
    });
    expect(Buffer.from(started?.seed.get('runcmd') ?? []).toString()).toContain('kubeadm init cp-1');
    await expect.poll(() => [...engine.networks.values()][0]?.backends).toEqual([{ host: '10.231.0.3', port: 6443 }]);
  });

  it('is not a backend of the load balancer when it is a worker', async () => {
    await plane.createMachine('worker', { cluster: 'one' });
    await plane.waitForMachine('worker', 'Ready', 'Ready');
    expect([...engine.networks.values()][0]?.backends).toEqual([]);
  });

  it.each([
    {
      name: 'node files of its version that are not prepared',
      machine: { version: 'v1.30.0' },
      reason: 'NodeFilesMissing',
      message: 'run `slipway image prepare --kubernetes-version v1.30.0 --from DIR`',
    },
    {
      name: 'a valid host name',
      machine: { name: 'm'.repeat(64) },
      reason: 'NameTooLong',
      message: 'the name has 64 characters, but a host name may have at most 63',
    },
    {
      name: 'bootstrap data of a supported format',
      machine: { data: '{"ignition":{}}' },
      reason: 'BootstrapDataNotUsable',
      message: 'set format: cloud-config',
    },
  ])('waits for $name, and reports it', async ({ machine, reason, message }) => {
    const { name = 'm', ...others }: { name?: string; version?: string; data?: string } = machine;
    await plane.createMachine(name, { cluster: 'one', ...others });
    const reported = await plane.waitForMachine(name, 'MachineRunning', reason);
    expect(conditionOf(reported, 'MachineRunning')?.message).toContain(message);
    expect(engine.machines.size).toBe(0);
  });

  it('does not start with kube-proxy on a host without nftables, and starts when kubeadm skips it', async () => {
    engine.withoutKubeProxy = 'kube-proxy requires the program nft: install nftables';
    const dataOf = (skipped: string): string =>
      `#cloud-config\nwrite_files: [{path: /run/kubeadm/kubeadm.yaml, content: "kind: InitConfiguration\\nskipPhases: [${skipped}]"}]\n`;
    await plane.createMachine('with', { cluster: 'one', data: dataOf('') });
    const reported = await plane.waitForMachine('with', 'MachineRunning', 'HostNotSupported');
    expect(conditionOf(reported, 'MachineRunning')?.message).toBe(engine.withoutKubeProxy);
    await plane.createMachine('without', { cluster: 'one', data: dataOf('addon/kube-proxy') });
    await plane.waitForMachine('without', 'Ready', 'Ready');
    expect(engine.named('with')).toBeUndefined();
  });

  it.each([
    { state: { bootstrap: 'running' }, type: 'BootstrapExecSucceeded', reason: 'BootstrapRunning' },
    { state: { bootstrap: 'failed' }, type: 'BootstrapExecSucceeded', reason: 'BootstrapFailed' },
    { state: { phase: 'ended' }, type: 'MachineRunning', reason: 'MachineEnded' },
  ] as const)('reports $reason', async ({ state, type, reason }) => {
    await plane.createMachine('m', { cluster: 'one' });
    const { metadata } = await plane.waitForMachine('m', 'Ready', 'Ready');
    engine.states.set(metadata.uid ?? '', state);
    const patch = { metadata: { annotations: { reconcile: 'again' } } };
    await plane.client.patch(hostMachines, keyOf('m'), { type: 'merge', patch });
    const reported = await plane.waitForMachine('m', type, reason);
    expect(conditionOf(reported, 'Ready')?.status).toBe('False');
    expect(engine.machines.size).toBe(1);
  });

  it('keeps running when it is deleted while its cluster is paused, as during a move', async () => {
    await plane.createMachine('m', { cluster: 'one' });
    await plane.waitForMachine('m', 'Ready', 'Ready');
    const pause = (paused: boolean) =>
      plane.client.patch(clusters, keyOf('one'), { type: 'merge', patch: { spec: { paused } } });
    await pause(true);
    await plane.waitForMachine('m', 'Paused', 'Paused');
    await plane.client.delete(hostMachines, keyOf('m'));
    // The observed generation shows that the deletion was reconciled.
    await plane.until(
      hostMachines,
      keyOf('m'),
      (one) => conditionOf(one, 'Paused')?.observedGeneration === one.metadata.generation,
    );
    expect(engine.machines.size).toBe(1);
    await pause(false);
    await plane.untilGone(hostMachines, keyOf('m'));
    expect(engine.machines.size).toBe(0);
  });

  it('is removed with its address when it is deleted, and the network after the last machine', async () => {
    await plane.createMachine('m', { cluster: 'one' });
    await plane.waitForMachine('m', 'Ready', 'Ready');
    await plane.client.delete(hostClusters, keyOf('one'));
    expect(engine.networks.size).toBe(1);
    await plane.client.delete(hostMachines, keyOf('m'));
    await plane.untilGone(hostMachines, keyOf('m'));
    expect(engine.machines.size).toBe(0);
    await plane.untilGone(ipAddressClaims, keyOf('m'));
    await plane.untilGone(hostClusters, keyOf('one'));
    expect(engine.networks.size).toBe(0);
  });
});
