import { seededRandom, VirtualClock } from '@slipway/base';
import type { Client } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { WorkloadClusters } from '../workload/index.js';
import { type BootedMachine, createGuests } from './guests.js';

const clusterKey = { namespace: 'default', name: 'c' };

/** Boots a machine whose object was deleted. Returns whether it runs afterwards, and how often the object was checked. */
async function bootDeleted(
  workloads: WorkloadClusters,
  clock: VirtualClock,
): Promise<{ runs: boolean; checks: number }> {
  let checks = 0;
  const booted: BootedMachine = {
    machine: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { namespace: 'default', name: 'm' },
      spec: { clusterName: 'c', bootstrap: {}, infrastructureRef: { apiGroup: 'x.io', kind: 'X', name: 'm' } },
    },
    cluster: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: clusterKey, spec: {} },
    name: 'm',
    uid: 'u',
    address: '10.0.0.1',
    providerId: 'x://m',
    confirm: () => {
      checks += 1;
      return Promise.reject(new Error('the object was deleted'));
    },
  };
  const client = { get: () => Promise.reject(new Error('there are no keys')) } as unknown as Client;
  await expect(createGuests(workloads).boot(booted, { read: client, clock })).rejects.toThrow(
    /the object was deleted|there are no keys/,
  );
  return { runs: workloads.get(clusterKey)?.isOn('m') ?? false, checks };
}

describe('the guest of a machine whose object was deleted', () => {
  const setUp = () => {
    const clock = new VirtualClock();
    return { clock, workloads: new WorkloadClusters({ clock, random: seededRandom(1), network: 'none' }) };
  };

  it('is not started', async () => {
    const { clock, workloads } = setUp();
    expect(await bootDeleted(workloads, clock)).toEqual({ runs: false, checks: 1 });
    await workloads.dispose();
  });

  it('keeps running without a further check until it is shut down', async () => {
    const { clock, workloads } = setUp();
    (await workloads.ensure(clusterKey)).switchOn('m');
    expect(await bootDeleted(workloads, clock)).toEqual({ runs: true, checks: 0 });
    await workloads.dispose();
  });
});
