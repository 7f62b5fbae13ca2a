import { type Random, seededRandom } from '@slipway/base';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { describe, expect, it } from 'vitest';
import { inClusterIpPools, ipAddressClaims, ipAddresses } from '../src/index.js';
import { onlyControllers, testKinds } from './kinds.js';

const namespace = 'default';
const key = (name: string): { namespace: string; name: string } => ({ namespace, name });
const names = Array.from({ length: 9 }, (_, index) => `claim-${index}`);
const poolSize = 6;

async function createPool(client: Client): Promise<void> {
  await client.create(inClusterIpPools, {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: { name: 'p', namespace },
    spec: { addresses: ['10.0.0.11-10.0.0.16'], prefix: 24, gateway: '10.0.0.1' },
  });
}

async function createClaim(client: Client, name: string): Promise<void> {
  const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'p' };
  const object = { apiVersion: 'ipam.cluster.x-k8s.io/v1beta2', kind: 'IPAddressClaim' } as const;
  await client.create(ipAddressClaims, { ...object, metadata: { name, namespace }, spec: { poolRef } });
}

/** User actions and faults. They may fail only because an object already exists or was deleted. */
async function disturb(plane: TestPlane, random: Random): Promise<void> {
  const { client } = plane;
  const name = names[Math.floor(random.next() * names.length)] ?? '';
  const choice = random.next();
  try {
    if (choice < 0.5) await createClaim(client, name);
    else if (choice < 0.8) await client.delete(ipAddressClaims, key(name));
    else if (choice < 0.9) await client.delete(ipAddresses, key(name));
    else await plane.restartControllers();
  } catch (error) {
    if (!isReason(error, 'AlreadyExists') && !isReason(error, 'NotFound')) throw error;
  }
}

/** Returns the allocated addresses. Checks invariants that must hold at any moment. */
async function addressesNow(client: Client): Promise<string[]> {
  return (await client.list(ipAddresses, { namespace })).items.map(({ spec }) => spec.address);
}

/**
 * Checks the final state, when the controllers are idle: every claim has an address while any are free, and the pool status is
 * correct.
 */
async function expectSettled(plane: TestPlane): Promise<void> {
  const { client, clock } = plane;
  await clock.advance(90_000);
  const claims = (await client.list(ipAddressClaims, { namespace })).items;
  const served = claims.filter(({ status }) => status?.addressRef !== undefined);
  const addresses = (await client.list(ipAddresses, { namespace })).items;
  expect(served.length).toBe(Math.min(claims.length, poolSize));
  expect(addresses.map(({ metadata }) => metadata.name)).toEqual(served.map(({ metadata }) => metadata.name));
  const pool = await client.get(inClusterIpPools, key('p'));
  const used = addresses.length;
  expect(pool.status?.ipAddresses).toEqual({ total: poolSize, used, free: poolSize - used, outOfRange: 0 });
}

describe('claims that are created and deleted while controllers crash', () => {
  it.each([1, 2, 3])('never share an address, and all get one while any are free (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const plane = await startTestPlane({
      sets: [onlyControllers('ipaddressclaim', 'inclusterippool')],
      kinds: testKinds,
    });
    try {
      await createPool(plane.client);
      for (let step = 1; step <= 80; step += 1) {
        await disturb(plane, random);
        if (random.next() < 0.5) await plane.clock.advance(Math.floor(random.next() * 200));
        const given = await addressesNow(plane.client);
        expect([...new Set(given)]).toEqual(given);
        expect(given.filter((address) => !/^10\.0\.0\.1[1-6]$/.test(address))).toEqual([]);
        if (step % 20 === 0) await expectSettled(plane);
      }
    } finally {
      await plane.stop();
    }
  });
});
