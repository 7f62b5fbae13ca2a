import type { Frozen } from '@slipway/kube';
import { type Client, getCondition, namespaces } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalInClusterIpPools } from '../src/api/index.js';
import {
  clusters,
  type InClusterIPPool,
  inClusterIpPools,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
} from '../src/index.js';
import { getV1beta1Condition, type V1beta1Conditioned } from '../src/toolkit/index.js';
import { onlyControllers, testKinds } from './kinds.js';

const namespace = 'default';
const key = (name: string, inNamespace = namespace): { namespace: string; name: string } => ({
  namespace: inNamespace,
  name,
});

let plane: TestPlane;
let client: Client;

beforeEach(async () => {
  plane = await startTestPlane({
    sets: [onlyControllers('ipaddressclaim', 'inclusterippool', 'globalinclusterippool')],
    kinds: testKinds,
  });
  client = plane.client;
});
afterEach(() => plane.stop());

function createPool(name: string, spec: Partial<NonNullable<InClusterIPPool['spec']>> = {}): Promise<unknown> {
  return client.create(inClusterIpPools, {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: { name, namespace },
    spec: { addresses: ['10.0.0.10-10.0.0.19'], prefix: 24, gateway: '10.0.0.1', ...spec },
  });
}

function createClaim(
  name: string,
  pool = 'p',
  more: { kind?: string; namespace?: string; clusterName?: string; labels?: Record<string, string> } = {},
): Promise<Frozen<IPAddressClaim>> {
  const { kind = 'InClusterIPPool', clusterName, labels } = more;
  return client.create(ipAddressClaims, {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddressClaim',
    metadata: { name, namespace: more.namespace ?? namespace, ...(labels && { labels }) },
    spec: {
      poolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind, name: pool },
      ...(clusterName !== undefined && { clusterName }),
    },
  });
}

const hasAddress = (claim: Frozen<IPAddressClaim>): boolean => claim.status?.addressRef !== undefined;
const because =
  (reason: string) =>
  (claim: Frozen<IPAddressClaim>): boolean =>
    getCondition(claim, 'Ready')?.reason === reason;
const addressOf = async (name: string, inNamespace = namespace): Promise<string> => {
  await plane.until(ipAddressClaims, key(name, inNamespace), hasAddress);
  return (await client.get(ipAddresses, key(name, inNamespace))).spec.address;
};
const counting =
  (used: number) =>
  (pool: Frozen<InClusterIPPool>): boolean =>
    pool.status?.ipAddresses?.used === used;

describe('claims on in-cluster pools', () => {
  it('get an address with prefix and gateway', async () => {
    await createPool('p');
    await createClaim('c', 'p', { labels: { 'cluster.x-k8s.io/cluster-name': 'k' } }).then(() => undefined);
    await client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'k', namespace },
      spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'k' } },
    });
    const claim = await plane.until(ipAddressClaims, key('c'), hasAddress);
    expect(claim.metadata.finalizers).toEqual(['ipam.cluster.x-k8s.io/ReleaseAddress']);
    expect(getCondition(claim, 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
    expect(getV1beta1Condition(claim as V1beta1Conditioned, 'Ready')?.status).toBe('True');
    const pool = await client.get(inClusterIpPools, key('p'));
    expect(await client.get(ipAddresses, key('c'))).toMatchObject({
      metadata: {
        labels: { 'cluster.x-k8s.io/cluster-name': 'k' },
        finalizers: ['ipam.cluster.x-k8s.io/ProtectAddress'],
        ownerReferences: [
          { kind: 'IPAddressClaim', name: 'c', uid: claim.metadata.uid, controller: true, blockOwnerDeletion: true },
          { kind: 'InClusterIPPool', name: 'p', uid: pool.metadata.uid, controller: false, blockOwnerDeletion: true },
        ],
      },
      spec: {
        address: '10.0.0.10',
        prefix: 24,
        gateway: '10.0.0.1',
        claimRef: { name: 'c' },
        poolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'p' },
      },
    });
    await plane.until(inClusterIpPools, key('p'), counting(1));
    expect((await client.get(inClusterIpPools, key('p'))).status?.ipAddresses).toEqual({
      total: 10,
      used: 1,
      free: 9,
      outOfRange: 0,
    });
  });

  it('never get the same address, with concurrent claims and restarts', async () => {
    await createPool('p');
    const names = Array.from({ length: 10 }, (_, index) => `c${index}`);
    await Promise.all(names.slice(0, 6).map((name) => createClaim(name)));
    await plane.restartControllers();
    await Promise.all(names.slice(6).map((name) => createClaim(name)));
    const given = await Promise.all(names.map((name) => addressOf(name)));
    expect([...given].sort()).toEqual(names.map((_, index) => `10.0.0.1${index}`));
  });

  it('wait for a missing pool and for a full one, and report it', async () => {
    await createClaim('a');
    const waiting = await plane.until(ipAddressClaims, key('a'), because('PoolNotReady'));
    expect(getCondition(waiting, 'Ready')?.message).toBe(
      'InClusterIPPool p does not exist; create it, or use another pool in the claim',
    );
    await createPool('p', { addresses: ['10.0.0.10'] });
    expect(await addressOf('a')).toBe('10.0.0.10');
    await createClaim('b');
    const full = await plane.until(ipAddressClaims, key('b'), because('PoolExhausted'));
    expect(getV1beta1Condition(full as V1beta1Conditioned, 'Ready')).toMatchObject({ reason: 'PoolExhausted' });
    await client.delete(ipAddressClaims, key('a'));
    await plane.untilGone(ipAddressClaims, key('a'));
    expect(await addressOf('b')).toBe('10.0.0.10');
    await createClaim('c');
    await plane.until(ipAddressClaims, key('c'), because('PoolExhausted'));
    const patch = { spec: { addresses: ['10.0.0.10-10.0.0.11'] } };
    await client.patch(inClusterIpPools, key('p'), { type: 'merge', patch });
    expect(await addressOf('c')).toBe('10.0.0.11');
  });

  it('release their address after the grace period of the pool', async () => {
    await createPool('p', { addressReuseGracePeriodSeconds: 300 });
    await createClaim('a');
    await addressOf('a');
    await client.delete(ipAddressClaims, key('a'));
    await plane.clock.advance(200_000);
    expect((await client.get(ipAddresses, key('a'))).spec.address).toBe('10.0.0.10');
    await plane.clock.advance(120_000);
    await plane.untilGone(ipAddressClaims, key('a'));
    await plane.untilGone(ipAddresses, key('a'));
  });

  it('keep an address that a user deletes', async () => {
    await createPool('p');
    await createClaim('a');
    await addressOf('a');
    await client.delete(ipAddresses, key('a'));
    await plane.settle();
    expect((await client.get(ipAddresses, key('a'))).metadata.deletionTimestamp).toBeTypeOf('string');
    await client.delete(ipAddressClaims, key('a'));
    await plane.untilGone(ipAddressClaims, key('a'));
    await plane.untilGone(ipAddresses, key('a'));
  });

  it('are not reconciled while their Cluster is paused', async () => {
    await createPool('p');
    await client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'k', namespace },
      spec: {
        paused: true,
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'k' },
      },
    });
    await createClaim('a', 'p', { clusterName: 'k' });
    await plane.until(ipAddressClaims, key('a'), (claim) => getCondition(claim, 'Paused')?.status === 'True');
    await plane.settle();
    expect(hasAddress(await client.get(ipAddressClaims, key('a')))).toBe(false);
    await client.patch(clusters, key('k'), { type: 'merge', patch: { spec: { paused: false } } });
    expect(await addressOf('a')).toBe('10.0.0.10');
  });

  it('are deleted although the pool and the Cluster were deleted before', async () => {
    await createPool('p');
    await createClaim('a', 'p', { clusterName: 'k' });
    await plane.settle();
    await client.delete(ipAddressClaims, key('a'));
    await plane.untilGone(ipAddressClaims, key('a'));
    await createClaim('b', 'nowhere');
    await plane.until(ipAddressClaims, key('b'), because('PoolNotReady'));
    await client.delete(ipAddressClaims, key('b'));
    await plane.untilGone(ipAddressClaims, key('b'));
    await expect(client.get(ipAddresses, key('b'))).rejects.toThrow('not found');
  });

  it('do not use an existing address of their name with another owner', async () => {
    await createPool('p');
    await client.create(ipAddresses, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
      kind: 'IPAddress',
      metadata: { name: 'a', namespace },
      spec: {
        address: '10.9.9.9',
        prefix: 24,
        claimRef: { name: 'a' },
        poolRef: { apiGroup: 'ipam.example.com', kind: 'OtherPool', name: 'p' },
      },
    });
    await createClaim('a');
    const refused = await plane.until(ipAddressClaims, key('a'), because('AllocationFailed'));
    expect(getCondition(refused, 'Ready')?.message).toContain('IPAddress a already exists for claim a of OtherPool p');
    await client.delete(ipAddresses, key('a'));
    expect(await addressOf('a')).toBe('10.0.0.10');
  });

  it('allocate from an IPv6 pool that is too large to enumerate', async () => {
    await createPool('p', { addresses: ['fd00::/48'], prefix: 48, gateway: 'fd00::1' });
    await createClaim('a');
    expect(await addressOf('a')).toBe('fd00::2');
    const pool = await plane.until(inClusterIpPools, key('p'), counting(1));
    expect(pool.status?.ipAddresses?.total).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('pools', () => {
  it('are not deleted while addresses are allocated', async () => {
    await createPool('p');
    await createClaim('a');
    await addressOf('a');
    await client.delete(inClusterIpPools, key('p'));
    await plane.settle();
    const held = await client.get(inClusterIpPools, key('p'));
    expect(held.metadata.finalizers).toContain('ipam.cluster.x-k8s.io/ProtectPool');
    await createClaim('late');
    const refused = await plane.until(ipAddressClaims, key('late'), because('PoolNotReady'));
    expect(getCondition(refused, 'Ready')?.message).toBe('InClusterIPPool p is being deleted');
    await client.delete(ipAddressClaims, key('a'));
    await plane.untilGone(inClusterIpPools, key('p'));
  });

  it('that are global allocate each address once', async () => {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await client.create(globalInClusterIpPools, {
      apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
      kind: 'GlobalInClusterIPPool',
      metadata: { name: 'g' },
      spec: { addresses: ['10.0.0.10-10.0.0.19'], prefix: 24 },
    });
    const kind = 'GlobalInClusterIPPool';
    await createClaim('a', 'g', { kind });
    await createClaim('a', 'g', { kind, namespace: 'other' });
    expect([await addressOf('a'), await addressOf('a', 'other')].sort()).toEqual(['10.0.0.10', '10.0.0.11']);
    const pool = await plane.until(
      globalInClusterIpPools,
      { namespace: '', name: 'g' },
      (each) => each.status?.ipAddresses?.used === 2,
    );
    expect(pool.status?.ipAddresses).toEqual({ total: 10, used: 2, free: 8, outOfRange: 0 });
  });
});
