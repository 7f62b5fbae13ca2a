import { seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resource } from '../client/index.js';
import { createController, done, wait } from '../controller/index.js';
import { type Lease, leases } from '../builtin-resources/index.js';
import { FakeApi } from '../testing/fake-api.js';
import { FakeProcess } from '../testing/fake-process.js';
import { FakeSources } from '../testing/fake-sources.js';
import { LeadershipLostError, Manager, type ManagerOptions } from './index.js';

const things: Resource = { group: 'x.io', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const key = { namespace: 'ns', name: 'thing' };
const thing = (name = 'thing'): KubeObject => ({
  apiVersion: 'x.io/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns' },
  spec: {},
});
const leaseKey = { namespace: 'sys', name: 'lead' };

interface Node {
  readonly process: FakeProcess;
  readonly identity: string;
  readonly manager: Manager;
}

/** Returns a controller that writes its name into the object three times a second while it is the leader. */
function busyController(identity: string): ReturnType<typeof createController> {
  return createController({
    name: 'busy',
    for: things,
    async reconcile(target, context) {
      await context.change({
        verb: 'patch',
        resource: things,
        key: target,
        body: { type: 'merge', patch: { spec: { by: identity } } },
        reason: 'Test',
        message: 'Written by a test',
      });
      return wait({ ms: 300, reason: 'Again', message: '' });
    },
  });
}

class TestEnvironment {
  readonly clock = new VirtualClock();
  readonly api = new FakeApi(this.clock);
  readonly violations: string[] = [];
  readonly written: { readonly by: string; readonly at: number }[] = [];
  #seed: number;

  constructor(seed = 1) {
    this.#seed = seed;
    this.api.onWrite = ({ identity, resource, verb }) => {
      if (resource.kind !== 'Thing' || verb === 'create') return;
      this.written.push({ by: identity, at: this.clock.monotonic() });
      const holder = this.lease()?.spec?.holderIdentity;
      if (holder !== identity)
        this.violations.push(`${this.clock.monotonic()}: ${identity} wrote while ${holder} leads`);
    };
  }

  lease(): Lease | undefined {
    return this.api.find(leases, leaseKey) as Lease | undefined;
  }

  async node(identity: string, options: Partial<ManagerOptions> = {}): Promise<Node> {
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
      controllers: [busyController(identity)],
      leaderElection: { ...leaseKey, identity },
      ...options,
    });
    await manager.start();
    return { process, identity, manager };
  }

  async begin(): Promise<void> {
    await this.api.client('user').create(things, thing());
  }

  lastWriter(): string | undefined {
    return this.written.at(-1)?.by;
  }
}

describe('leader election', () => {
  it('writes the Lease as client-go does', async () => {
    const testEnvironment = new TestEnvironment();
    const { manager } = await testEnvironment.node('a');
    await testEnvironment.clock.advance(5_000);
    const { spec } = testEnvironment.lease() as Lease;
    expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(spec?.acquireTime).toBe('2026-01-01T00:00:00.000000Z');
    expect(spec?.renewTime).toMatch(/^2026-01-01T00:00:0[2-5]\.\d{6}Z$/);
    const stopped = manager.stop();
    await testEnvironment.clock.advance(3_000);
    await stopped;
    expect(testEnvironment.lease()?.spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
    });
  });

  it('lets exactly one of two managers write, and hands over immediately on a graceful stop', async () => {
    const testEnvironment = new TestEnvironment();
    await testEnvironment.begin();
    const a = await testEnvironment.node('a');
    const b = await testEnvironment.node('b');
    await testEnvironment.clock.advance(20_000);
    const first = testEnvironment.lastWriter();
    expect(new Set(testEnvironment.written.map(({ by }) => by)).size).toBe(1);
    const [leader, other] = first === 'a' ? [a, b] : [b, a];
    const stopped = leader.manager.stop();
    await testEnvironment.clock.advance(7_000);
    await stopped;
    expect(testEnvironment.lastWriter()).toBe(other.identity);
    expect(testEnvironment.lease()?.spec).toMatchObject({ holderIdentity: other.identity, leaseTransitions: 1 });
    expect(testEnvironment.violations).toEqual([]);
  });

  it('hands over within the lease duration and a retry when the leader is killed', async () => {
    const testEnvironment = new TestEnvironment();
    await testEnvironment.begin();
    const a = await testEnvironment.node('a');
    await testEnvironment.clock.advance(3_000);
    await testEnvironment.node('b');
    await testEnvironment.clock.advance(10_000);
    a.process.pause();
    const killedAt = testEnvironment.clock.monotonic();
    await testEnvironment.clock.advance(20_000);
    const takeover = testEnvironment.written.find(({ by }) => by === 'b')?.at ?? Number.POSITIVE_INFINITY;
    expect(takeover - killedAt).toBeLessThanOrEqual(15_000 + 2_000 * 2.2);
    expect(testEnvironment.violations).toEqual([]);
  });

  it('stops writing before the lease can expire, and reports the loss', async () => {
    const testEnvironment = new TestEnvironment();
    await testEnvironment.begin();
    const a = await testEnvironment.node('a');
    await testEnvironment.clock.advance(10_000);
    a.process.isPartitioned = true;
    const cutAt = testEnvironment.clock.monotonic();
    const lost = a.manager.done.catch((error: unknown) => error);
    await testEnvironment.clock.advance(10_000);
    expect(a.manager.isLeading).toBe(false);
    await testEnvironment.clock.advance(5_000);
    expect(await lost).toBeInstanceOf(LeadershipLostError);
    expect(testEnvironment.written.filter(({ at }) => at > cutAt)).toEqual([]);
  });

  it('tolerates clocks that differ and jump', async () => {
    const testEnvironment = new TestEnvironment();
    await testEnvironment.begin();
    const a = await testEnvironment.node('a');
    const b = await testEnvironment.node('b');
    await testEnvironment.clock.advance(5_000);
    for (const ms of [3_600_000, -86_400_000, 7_000]) {
      a.process.jump(ms);
      b.process.jump(-ms);
      await testEnvironment.clock.advance(30_000);
    }
    expect(new Set(testEnvironment.written.map(({ by }) => by)).size).toBe(1);
    expect(testEnvironment.lease()?.spec?.leaseTransitions).toBe(0);
    expect(testEnvironment.violations).toEqual([]);
  });

  it('never lets two managers write in the same term, despite pauses, network failures and delays', async () => {
    const fault = fc.record({
      node: fc.nat(2),
      what: fc.constantFrom('pause', 'cut', 'jump', 'stop', 'none'),
      forMs: fc.integer({ min: 100, max: 40_000 }),
      thenMs: fc.integer({ min: 0, max: 12_000 }),
    });
    const history = fc.record({
      seed: fc.nat(1_000_000),
      nodes: fc.integer({ min: 2, max: 3 }),
      latencyMs: fc.nat(2_000),
      faults: fc.array(fault, { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, nodes: count, latencyMs, faults }) => {
        const testEnvironment = new TestEnvironment(seed);
        await testEnvironment.begin();
        let processCount = 0;
        const nodes: Node[] = [];
        const replaceProcess = async (place: number): Promise<void> => {
          processCount += 1;
          const node = await testEnvironment.node(`n${processCount}`);
          node.process.latencyMsMax = latencyMs;
          nodes[place] = node;
          void node.manager.done.catch(() => replaceProcess(place));
        };
        for (let place = 0; place < count; place += 1) await replaceProcess(place);
        for (const { node: place, what: faultKind, forMs, thenMs } of faults) {
          const { process, manager } = nodes[place % count] as Node;
          if (faultKind === 'pause') process.pause();
          if (faultKind === 'cut') process.isPartitioned = true;
          if (faultKind === 'jump') process.jump(forMs * 100 * (place % 2 === 0 ? 1 : -1));
          if (faultKind === 'stop') void manager.stop().then(() => replaceProcess(place % count));
          await testEnvironment.clock.advance(forMs);
          process.isPartitioned = false;
          process.resume();
          await testEnvironment.clock.advance(thenMs);
        }
        await testEnvironment.clock.advance(60_000);
        expect(testEnvironment.violations).toEqual([]);
        expect(testEnvironment.clock.monotonic() - (testEnvironment.written.at(-1)?.at ?? 0)).toBeLessThan(10_000);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('a manager', () => {
  const open: Manager[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((manager) => manager.stop()));
  });

  function create(options: Partial<ManagerOptions>): {
    clock: VirtualClock;
    api: FakeApi;
    sources: FakeSources;
    manager: Manager;
  } {
    const clock = new VirtualClock();
    const api = new FakeApi(clock);
    const sources = new FakeSources(api);
    const base = { name: 'test', client: api.client(), sources, clock, random: seededRandom(1), logger: silentLogger };
    const manager = new Manager({ ...base, controllers: [], ...options });
    return { clock, api, sources, manager };
  }

  it('starts webhooks, then caches, then controllers', async () => {
    const order: string[] = [];
    const controller = createController({ name: 'c', for: things, reconcile: async () => done() });
    const { manager, sources, api } = create({
      controllers: [
        { ...controller, start: (environment) => (order.push('controller'), controller.start(environment)) },
      ],
      webhooks: {
        start: async () => void order.push('webhooks'),
        stop: async () => void order.push('webhooks stopped'),
      },
    });
    await api.client().create(things, thing());
    sources.syncedWhen = Promise.resolve().then(() => void order.push('synced'));
    sources.start = () => void order.push('caches');
    order.length = 0;
    await manager.start();
    await manager.stop();
    expect(order.filter((entry) => entry !== 'synced')).toEqual([
      'webhooks',
      'caches',
      'controller',
      'webhooks stopped',
    ]);
  });

  it('fails to start if the caches do not sync in time', async () => {
    const { manager, sources, clock } = create({ cacheSyncTimeoutMs: 1_000 });
    sources.syncedWhen = new Promise(() => undefined);
    const started = manager.start().catch((error: unknown) => error);
    await clock.advance(3_000);
    expect(await started).toMatchObject({ message: 'timed out waiting for caches to sync' });
  });

  it('serves health, readiness, metrics and the contents of its queues', async () => {
    const { manager, clock, api } = create({
      healthAddress: '127.0.0.1:0',
      metricsAddress: '127.0.0.1:0',
      version: '1.2.3',
      healthChecks: new Map([['disk', () => Promise.reject(new Error('full'))]]),
      controllers: [
        createController({
          name: 'busy',
          for: things,
          reconcile: () => Promise.reject(new Error('password: hunter2 is wrong')),
        }),
      ],
    });
    open.push(manager);
    await api.client().create(things, thing());
    await manager.start();
    await clock.advance(1);
    const get = async (port: number | undefined, path: string): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.text()];
    };
    expect(await get(manager.ports.health, '/readyz')).toEqual([200, 'ok']);
    expect(await get(manager.ports.health, '/healthz')).toEqual([
      500,
      '[+]ping ok\n[-]disk failed: reason withheld\nhealthz check failed\n',
    ]);
    expect((await get(manager.ports.health, '/healthz?exclude=disk'))[0]).toBe(200);
    expect((await get(manager.ports.health, '/healthz/ping'))[0]).toBe(200);
    expect(await get(manager.ports.health, '/version')).toEqual([200, '{"version":"1.2.3"}\n']);
    expect((await get(manager.ports.health, '/elsewhere'))[0]).toBe(404);
    const [, metrics] = await get(manager.ports.metrics, '/metrics');
    expect(metrics).toContain('controller_runtime_reconcile_total{controller="busy",result="error"} 1');
    expect(metrics).toContain('workqueue_adds_total{name="busy",controller="busy"} 1');
    expect(metrics).toContain('controller_runtime_max_concurrent_reconciles{controller="busy"} 1');
    const [, text] = await get(manager.ports.metrics, '/debug');
    expect(JSON.parse(text)).toMatchObject({
      controllers: [
        {
          name: 'busy',
          queue: [{ key: 'ns/thing', state: 'delayed', failures: 1 }],
          lastErrors: { 'ns/thing': { message: 'password: [hidden] is wrong', verdict: 'retry' } },
        },
      ],
    });
    const [, changes] = await get(manager.ports.metrics, '/debug/changes');
    const counts = { written: 0, unchanged: 0, failed: 0, remote: 0, calls: 0, dryRuns: 0, unexplained: 0 };
    expect(JSON.parse(changes)).toEqual({ published: 0, counts, changes: [] });
    clock.advance(5_000).catch(() => undefined);
  });

  it('lets a reconcile in progress finish and write on a graceful stop', async () => {
    const testEnvironment = new TestEnvironment();
    await testEnvironment.begin();
    const slow = createController({
      name: 'slow',
      for: things,
      async reconcile(target, context) {
        await new Promise<void>((resolve) => context.clock.setTimer(12_000, resolve));
        await context.change({
          verb: 'patch',
          resource: things,
          key: target,
          body: { type: 'merge', patch: { spec: { by: 'slow' } } },
          reason: 'Test',
          message: 'Written by a test',
        });
        return done();
      },
    });
    const { manager } = await testEnvironment.node('a', { controllers: [slow] });
    await testEnvironment.clock.advance(1_000);
    const stopped = manager.stop();
    await testEnvironment.clock.advance(20_000);
    await stopped;
    expect(testEnvironment.api.find(things, key)?.['spec']).toEqual({ by: 'slow' });
    expect(testEnvironment.violations).toEqual([]);
    expect(testEnvironment.lease()?.spec?.holderIdentity).toBe('');
  });
});
