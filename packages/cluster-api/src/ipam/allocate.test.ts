import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { deepFreeze, type Frozen, type KubeObject, notFound } from '@slipway/kube';
import {
  ChangeExecutor,
  type Client,
  type ListOptions,
  type ObjectKey,
  type ReconcileContext,
  type Source,
} from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { InClusterIPPool, IPAddress, IPAddressClaim } from '../api/index.js';
import { allocate } from './allocate.js';
import { Reservations } from './reservations.js';

const claim = (name: string): IPAddressClaim => ({
  apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
  kind: 'IPAddressClaim',
  metadata: { name, namespace: 'n', uid: `claim-${name}` },
  spec: { poolRef: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'p' } },
});
const pool: InClusterIPPool = {
  apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
  kind: 'InClusterIPPool',
  metadata: { name: 'p', namespace: 'n', uid: 'pool' },
  spec: { addresses: ['10.0.0.5-10.0.0.6'], prefix: 24 },
};

/** One server for two processes, each with an empty cache. */
class SharedServer {
  readonly stored = new Map<string, Frozen<IPAddress>>();
  /** Runs after a process has written an address, before it reads the addresses. */
  afterCreate: () => Promise<void> = () => Promise.resolve();

  context(): ReconcileContext {
    const clock = new VirtualClock();
    const client = {
      create: async (_resource: unknown, object: IPAddress) => {
        const created = deepFreeze({ ...object, metadata: { ...object.metadata, uid: `uid-${object.metadata.name}` } });
        this.stored.set(object.metadata.name ?? '', created);
        const wait = this.afterCreate;
        this.afterCreate = () => Promise.resolve();
        await wait();
        return created;
      },
      list: async (_resource: unknown, options: ListOptions) => ({
        items: [...this.stored.values()].filter(
          ({ metadata }) =>
            `ipam.cluster.x-k8s.io/address=${metadata.labels?.['ipam.cluster.x-k8s.io/address']}` ===
            options.labelSelector,
        ),
        resourceVersion: '1',
      }),
      patch: async (_resource: unknown, { name }: ObjectKey) => this.stored.get(name),
      delete: async (_resource: unknown, { name }: ObjectKey) => {
        if (!this.stored.delete(name)) throw notFound({ group: '', resource: 'ipaddresses' }, name);
      },
    } as unknown as Client;
    const empty = { get: () => undefined, byIndex: () => [], list: () => [] } as unknown as Source<KubeObject>;
    const rest = { clock, random: seededRandom(1), logger: silentLogger, signal: new AbortController().signal };
    const executor = new ChangeExecutor({ client, clock, controller: 'test' });
    return Object.assign(executor, { sources: { sourceFor: () => empty }, ...rest }) as unknown as ReconcileContext;
  }
}

const given = (result: Awaited<ReturnType<typeof allocate>>): string =>
  'spec' in result ? result.spec.address : result.reason;

describe('allocate', () => {
  it('never allocates one address to two claims when two processes choose concurrently', async () => {
    const server = new SharedServer();
    const [ours, theirs] = [server.context(), server.context()];
    const [here, there] = [new Reservations(ours.clock), new Reservations(theirs.clock)];
    let other = Promise.resolve('');
    server.afterCreate = async () => {
      other = allocate(theirs, there, claim('b'), pool).then(given, (error: Error) => error.message);
      await other;
    };
    const mine = await allocate(ours, here, claim('a'), pool).then(given, (error: Error) => error.message);
    expect([mine, await other]).toEqual(['10.0.0.5', 'address 10.0.0.5 was also allocated to claim n/a']);
    expect([...server.stored.keys()]).toEqual(['a']);
  });

  it('allocates another address after it released the first', async () => {
    const server = new SharedServer();
    const context = server.context();
    const reservations = new Reservations(context.clock);
    expect(given(await allocate(context, reservations, claim('a'), pool))).toBe('10.0.0.5');
    expect(given(await allocate(context, reservations, claim('b'), pool))).toBe('10.0.0.6');
    expect(given(await allocate(context, reservations, claim('c'), pool))).toBe('PoolExhausted');
  });

  it('reports what is wrong with a pool', async () => {
    const server = new SharedServer();
    const context = server.context();
    const broken = { ...pool, spec: { addresses: ['10.0.0'], prefix: 24 } };
    expect(await allocate(context, new Reservations(context.clock), claim('a'), broken)).toEqual({
      reason: 'PoolNotReady',
      message:
        'InClusterIPPool p cannot be used: spec.addresses[0] is not an address, range or CIDR block of one address family; correct it',
    });
  });
});
