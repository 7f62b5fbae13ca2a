import { VirtualClock } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { nodes, pods } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { devMachines } from '../src/index.js';
import type { DevMachine } from '../src/api/index.js';
import { conditionOf, DevPlane } from './dev-plane.js';

const namespace = 'default';
const types = ['VMProvisioned', 'NodeProvisioned', 'EtcdProvisioned', 'APIServerProvisioned', 'Ready'];

function reasonsOf(machine: Frozen<DevMachine>): Record<string, string> {
  const entries = types.map((type) => [type, conditionOf(machine, type)?.reason ?? ''] as const);
  return Object.fromEntries(entries.filter(([, reason]) => reason !== ''));
}

function startup(vm: string, node: string, etcd = '0s', apiServer = '0s'): NonNullable<DevMachine['spec']>['backend'] {
  const after = (startupDuration: string): object => ({ provisioning: { startupDuration } });
  return { inMemory: { vm: after(vm), node: after(node), etcd: after(etcd), apiServer: after(apiServer) } };
}

describe('a simulated machine', () => {
  const clock = new VirtualClock();
  let plane: DevPlane;
  beforeAll(async () => {
    plane = await DevPlane.start({ clock, network: 'none' });
    await plane.createCluster('timed');
  });
  afterAll(() => plane.stop());

  const machine = (name: string): Promise<Frozen<DevMachine>> => plane.client.get(devMachines, { namespace, name });
  /** Advances the clock and waits for the resulting reconciles. */
  const after = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await clock.advance(0);
  };

  it('waits for the cluster infrastructure, then for the control plane, then for bootstrap data', async () => {
    await plane.createMachine('early', { cluster: 'timed', dataSecretName: '' });
    const reason = async (): Promise<string | undefined> => {
      await after(2_000);
      return conditionOf(await machine('early'), 'VMProvisioned')?.reason;
    };
    expect(await reason()).toBe('WaitingForClusterInfrastructureReady');
    await plane.provisionCluster('timed');
    expect(await reason()).toBe('WaitingForControlPlaneInitialized');
    await plane.createSecrets('timed');
    const initialized = { status: { initialization: { controlPlaneInitialized: true } } };
    await plane.patch(clusters, { namespace, name: 'timed' }, initialized, 'status');
    expect(await reason()).toBe('WaitingForBootstrapData');
  });

  it('gets the provider ID in-memory://name, and runs its steps one after the other, each with its delay [14.48]', async () => {
    await plane.createMachine('slow', {
      cluster: 'timed',
      controlPlane: true,
      backend: startup('100s', '20s', '30s', '40s'),
      failureDomain: 'east',
    });
    await after(2_000);
    expect(reasonsOf(await machine('slow'))).toEqual({
      VMProvisioned: 'WaitingForStartupTimeout',
      NodeProvisioned: 'WaitingForVMProvisioned',
      EtcdProvisioned: 'WaitingForNodeProvisioned',
      APIServerProvisioned: 'WaitingForNodeProvisioned',
      Ready: 'NotReady',
    });
    await after(96_000);
    expect((await machine('slow')).spec?.providerID).toBeUndefined();
    await after(4_000);
    const on = await machine('slow');
    expect(on).toMatchObject({
      spec: { providerID: 'in-memory://slow' },
      status: { initialization: { provisioned: true }, failureDomain: 'east' },
    });
    expect(reasonsOf(on)).toMatchObject({ VMProvisioned: 'Provisioned', NodeProvisioned: 'WaitingForStartupTimeout' });
    await after(20_000);
    expect(reasonsOf(await machine('slow'))).toMatchObject({
      NodeProvisioned: 'Provisioned',
      EtcdProvisioned: 'WaitingForStartupTimeout',
      APIServerProvisioned: 'WaitingForStartupTimeout',
    });
    await after(30_000);
    expect(reasonsOf(await machine('slow'))).toMatchObject({
      EtcdProvisioned: 'Provisioned',
      APIServerProvisioned: 'WaitingForStartupTimeout',
      Ready: 'NotReady',
    });
    expect(plane.dev.workloads.get({ namespace, name: 'timed' })?.isUp).toBe(false);
    await after(10_000);
    const ready = await machine('slow');
    expect(reasonsOf(ready)).toMatchObject({ APIServerProvisioned: 'Provisioned', Ready: 'Ready' });
    expect(ready.metadata.annotations).toHaveProperty([
      'machine.inmemory.infrastructure.cluster.x-k8s.io/bootstrapped',
    ]);
    expect(plane.dev.workloads.get({ namespace, name: 'timed' })?.isUp).toBe(true);
  });

  it('starts without delay after a move, which drops the status [14.43]', async () => {
    const { metadata, spec } = await machine('slow');
    const annotations = { ...metadata.annotations };
    const backend = startup('100s', '20s');
    await plane.createMachine('moved', { cluster: 'timed', backend, annotations });
    await after(1_000);
    expect(reasonsOf(await machine('moved'))).toMatchObject({ NodeProvisioned: 'Provisioned', Ready: 'Ready' });
    expect(spec?.providerID).toBe('in-memory://slow');
  });

  it('gets no Node before its startup duration has passed', async () => {
    await plane.createMachine('stuck', { cluster: 'timed', backend: startup('0s', '10000h') });
    await after(1_000);
    await after(86_400_000);
    expect(reasonsOf(await machine('stuck'))).toMatchObject({
      VMProvisioned: 'Provisioned',
      NodeProvisioned: 'WaitingForStartupTimeout',
    });
  });

  it('does not change a Node that a user made unhealthy', async () => {
    const client = plane.inside('timed');
    const unhealthy = { status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Tried' }] } };
    await client.patch(
      nodes,
      { namespace: '', name: 'slow' },
      { type: 'merge', patch: unhealthy },
      { subresource: 'status' },
    );
    await plane.patch(devMachines, { namespace, name: 'slow' }, { metadata: { labels: { looked: 'at' } } });
    await after(1_200_000);
    const node = await client.get(nodes, { namespace: '', name: 'slow' });
    expect(conditionOf(node, 'Ready')).toMatchObject({ status: 'Unknown' });
  });

  it('keeps running when it is deleted while its cluster is paused, as during a move', async () => {
    const running = (): readonly string[] => plane.dev.workloads.get({ namespace, name: 'timed' })?.machines ?? [];
    const pause = (paused: boolean) => plane.patch(clusters, { namespace, name: 'timed' }, { spec: { paused } });
    await plane.createMachine('kept', { cluster: 'timed' });
    await after(1_000);
    await pause(true);
    await after(1_000);
    await plane.client.delete(devMachines, { namespace, name: 'kept' });
    await after(1_000);
    expect(running()).toContain('kept');
    await pause(false);
    await after(1_000);
    await expect(machine('kept')).rejects.toMatchObject({ reason: 'NotFound' });
    expect(running()).not.toContain('kept');
  });

  it('deletes its Node and Pods, and leaves its etcd member to the control plane provider', async () => {
    const workload = plane.dev.workloads.get({ namespace, name: 'timed' });
    await plane.createMachine('second', { cluster: 'timed', controlPlane: true });
    await after(1_000);
    await plane.client.delete(devMachines, { namespace, name: 'second' });
    await after(1_000);
    await expect(machine('second')).rejects.toMatchObject({ reason: 'NotFound' });
    await expect(plane.inside('timed').get(nodes, { namespace: '', name: 'second' })).rejects.toMatchObject({
      reason: 'NotFound',
    });
    const left = await plane.inside('timed').list(pods, { namespace: 'kube-system' });
    expect(left.items.filter(({ spec }) => spec?.nodeName === 'second')).toEqual([]);
    expect(workload?.etcd.members.map(({ name }) => name)).toEqual(['slow', 'second']);
    expect(workload?.isUp).toBe(false);
  });

  it('reports that the docker backend is not supported', async () => {
    await plane.createMachine('docked', { cluster: 'timed', backend: { docker: {} } });
    await after(1_000);
    expect(conditionOf(await machine('docked'), 'VMProvisioned')).toMatchObject({
      reason: 'BackendNotSupported',
      message: expect.stringContaining('spec.backend.inMemory') as string,
    });
  });
});
