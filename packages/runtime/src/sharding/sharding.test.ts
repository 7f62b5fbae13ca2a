import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Resource } from '../client/index.js';
import { createController, wait } from '../controller/index.js';
import { type Lease, leases } from '../builtin-resources/index.js';
import { Manager } from '../manager/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { FakeProcess } from '../testing/fake-process.js';
import { FakeSources } from '../testing/fake-sources.js';
import { fairShare, shardOf } from './index.js';

const machines: Resource = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};
const shards = 6;
const groupLabel = 'x.io/group';
const shardKeyOf = ({ metadata }: Frozen<KubeObject>): string =>
  `${metadata.namespace}/${metadata.labels?.[groupLabel]}`;

function machine(name: string, group: string): KubeObject {
  const labels = { [groupLabel]: group };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace: 'ns', labels },
    spec: {},
  };
}

interface Node {
  readonly process: FakeProcess;
  readonly manager: Manager;
}

class Fleet {
  readonly clock = new VirtualClock();
  readonly api = new FakeApi(this.clock);
  readonly violations: string[] = [];
  readonly touched = new Map<string, number>();
  #seed: number;

  constructor(seed = 1) {
    this.#seed = seed;
    this.api.onWrite = ({ identity, resource, verb, key }) => {
      if (resource.kind !== 'Machine' || verb !== 'patch') return;
      const object = this.api.find(machines, key);
      if (object === undefined) return;
      const name = `fleet-shard-${shardOf(shardKeyOf(object), shards)}`;
      const lease = this.api.find(leases, { namespace: 'sys', name }) as Lease | undefined;
      this.touched.set(key.name, this.clock.monotonic());
      if (lease?.spec?.holderIdentity !== identity)
        this.violations.push(`${identity} wrote ${key.name} while ${lease?.spec?.holderIdentity} holds ${name}`);
    };
  }

  async populate(): Promise<void> {
    const client = this.api.client('user');
    for (let index = 0; index < 24; index += 1) await client.create(machines, machine(`m${index}`, `g${index % 12}`));
  }

  async join(identity: string): Promise<Node> {
    this.#seed += 1;
    const random = seededRandom(this.#seed);
    const process = new FakeProcess(this.clock, random);
    const manager = new Manager({
      name: 'test',
      client: this.api.client(identity, process.link),
      sources: new FakeSources(this.api),
      clock: process.clock,
      random,
      logger: silentLogger,
      controllers: [
        createController({
          name: 'busy',
          for: machines,
          concurrency: 4,
          timeoutMs: 10_000,
          async reconcile(key, context) {
            await context.change({
              verb: 'patch',
              resource: machines,
              key: key,
              body: { type: 'merge', patch: { spec: { by: identity } } },
              reason: 'Test',
              message: 'Written by a test',
            });
            return wait({ ms: 1_000, reason: 'Again', message: '' });
          },
        }),
      ],
      sharding: { namespace: 'sys', name: 'fleet', shards, shardKeyOf, identity },
    });
    await manager.start();
    return { process, manager };
  }

  /** Returns the Machines that were not reconciled for a while. */
  notReconciled(): string[] {
    const since = this.clock.monotonic() - 15_000;
    return [...Array(24).keys()].map((index) => `m${index}`).filter((name) => (this.touched.get(name) ?? 0) < since);
  }
}

const held = (nodes: readonly Node[]): number[] => nodes.map(({ manager }) => manager.shards?.heldShards().length ?? 0);

describe('sharding', () => {
  it('maps a key to the same shard in every process', () => {
    expect(shardOf('ns/c1', 16)).toBe(shardOf('ns/c1', 16));
    expect(shardOf('ns/c1', 16)).toBe(7);
  });

  it('divides shards as equally as possible', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 40 }),
        (members, count) => {
          const shares = members.map((member) => fairShare(member, members, count));
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('rebalances when a manager joins, leaves and is killed, and keeps reconciling every cluster', async () => {
    const fleet = new Fleet();
    await fleet.populate();
    const a = await fleet.join('a');
    await fleet.clock.advance(10_000);
    expect(held([a])).toEqual([6]);
    const b = await fleet.join('b');
    const c = await fleet.join('c');
    await fleet.clock.advance(20_000);
    expect(held([a, b, c])).toEqual([2, 2, 2]);
    const stopped = b.manager.stop();
    await fleet.clock.advance(10_000);
    await stopped;
    await fleet.clock.advance(10_000);
    expect(held([a, c])).toEqual([3, 3]);
    c.process.pause();
    await fleet.clock.advance(30_000);
    expect(held([a])).toEqual([6]);
    expect(fleet.notReconciled()).toEqual([]);
    expect(fleet.violations).toEqual([]);
  });

  it('never lets two managers reconcile the same cluster, despite random faults', async () => {
    const fault = fc.record({
      node: fc.nat(2),
      what: fc.constantFrom('pause', 'cut', 'stop', 'none'),
      forMs: fc.integer({ min: 100, max: 30_000 }),
      thenMs: fc.nat(10_000),
    });
    const history = fc.record({
      seed: fc.nat(1_000_000),
      latencyMs: fc.nat(1_000),
      faults: fc.array(fault, { minLength: 1, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, latencyMs, faults }) => {
        const fleet = new Fleet(seed);
        await fleet.populate();
        let processCount = 0;
        const nodes: Node[] = [];
        const give = async (place: number): Promise<void> => {
          processCount += 1;
          const node = await fleet.join(`n${processCount}`);
          node.process.latencyMsMax = latencyMs;
          nodes[place] = node;
        };
        for (let place = 0; place < 3; place += 1) await give(place);
        for (const { node: place, what: faultKind, forMs, thenMs } of faults) {
          const { process, manager } = nodes[place] as Node;
          if (faultKind === 'pause') process.pause();
          if (faultKind === 'cut') process.isPartitioned = true;
          if (faultKind === 'stop') void manager.stop().then(() => give(place));
          await fleet.clock.advance(forMs);
          process.isPartitioned = false;
          process.resume();
          await fleet.clock.advance(thenMs);
        }
        await fleet.clock.advance(60_000);
        expect(fleet.violations).toEqual([]);
        expect(fleet.notReconciled()).toEqual([]);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
