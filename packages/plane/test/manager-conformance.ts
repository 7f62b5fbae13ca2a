import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import {
  ChangeExecutor,
  type Client,
  configMaps,
  createManager,
  customResourceDefinitions,
  edit,
  events,
  getCondition,
  InformerFactory,
  informerSources,
  leases,
  type LeaseTimes,
  type Manager,
  type ManagerOptions,
  namespaces,
} from '@slipway/runtime';
import { type Greeting, greeting, greetings } from '../../../docs/samples/greeting.js';
import { createGreetingController } from '../../../docs/samples/greeting-controller.js';
import type { ConformanceTarget } from './client-conformance.js';
import { established, patience } from './conformance-fixtures.js';

const namespace = 'greetings';
const times: LeaseTimes = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 500 };
const newGreeting = (name: string, whom?: string): Greeting => ({
  apiVersion: 'samples.slipway.dev/v1',
  kind: 'Greeting',
  metadata: { name, namespace },
  spec: whom === undefined ? {} : { name: whom },
});

/** Tests a manager on every server, with the sample controller of the documentation. */
export function managerConformance(name: string, start: () => Promise<ConformanceTarget>): void {
  describe(`a manager: ${name}`, () => {
    let target: ConformanceTarget;
    let watcher: InformerFactory;
    let managers: Manager[] = [];

    beforeAll(async () => {
      target = await start();
      await target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const definition = toCustomResourceDefinition(greeting);
      await target.client.create(customResourceDefinitions, definition);
      await established(target.client, definition.metadata.name ?? '');
    });
    afterAll(() => target?.stop());
    beforeEach(() => {
      watcher = new InformerFactory({ client: target.client, clock: systemClock, random: systemRandom });
    });
    afterEach(async () => {
      await Promise.all(managers.map((manager) => manager.stop()));
      managers = [];
      await watcher.dispose();
    });

    const run = async (options: Partial<ManagerOptions> = {}): Promise<Manager> => {
      const dependencies = { clock: systemClock, random: systemRandom, logger: silentLogger };
      const { client } = target;
      const sources = informerSources(new InformerFactory({ client, ...dependencies }));
      const manager = createManager({
        name: 'samples',
        client,
        sources,
        ...dependencies,
        controllers: [createGreetingController({ concurrency: 4 })],
        ...options,
      });
      managers.push(manager);
      await manager.start();
      return manager;
    };
    const textOf = (object: string, text: string): Promise<unknown> =>
      watcher
        .informer(configMaps, { namespace })
        .waitFor((view) => view.get({ namespace, name: object })?.data?.['text'] === text, {
          signal: AbortSignal.timeout(patience),
        });
    const reasonOf = (object: string, reason: string): Promise<unknown> =>
      watcher.informer(greetings).waitFor(
        (view) => {
          const found = view.get({ namespace, name: object });
          return found !== undefined && getCondition(found, 'Ready')?.reason === reason;
        },
        { signal: AbortSignal.timeout(patience) },
      );

    /** Events are recorded asynchronously. */
    const notesOf = (reason: string, count: number): Promise<Set<string | undefined>> =>
      watcher.informer(events, { namespace }).waitFor(
        (view) => {
          const recorded = view.list().filter((event) => event.reason === reason && event.type === 'Normal');
          const notes = new Set(recorded.map(({ note }) => note));
          return notes.size >= count && notes;
        },
        { signal: AbortSignal.timeout(patience) },
      );

    it('runs the sample controller: reports why it waits, creates, repairs and updates', async () => {
      await sampleStory(target.client, { run, textOf, reasonOf });
      expect((await notesOf('Created', 1)).size).toBeGreaterThan(0);
    });

    it('runs one of two managers and hands over leadership', async () => {
      const { client } = target;
      const election = (identity: string): Partial<ManagerOptions> => ({
        leaderElection: { namespace, name: 'samples', identity, times },
      });
      const first = await run(election('first'));
      await client.create(greetings, newGreeting('led', 'one'));
      await textOf('led', 'Hello, one!');
      const second = await run(election('second'));
      expect([first.isLeading, second.isLeading]).toEqual([true, false]);
      await first.stop();
      await client.patch(greetings, { namespace, name: 'led' }, { type: 'merge', patch: { spec: { name: 'two' } } });
      await textOf('led', 'Hello, two!');
      const lease = await client.get(leases, { namespace, name: 'samples' });
      expect(lease.spec).toMatchObject({ holderIdentity: 'second', leaseDurationSeconds: 15, leaseTransitions: 1 });
      expect(first.isLeading).toBe(false);
      expect(await notesOf('LeaderElection', 2)).toEqual(new Set(['first became leader', 'second became leader']));
    });

    it('preserves shared lists across conflicts', async () => {
      const { client } = target;
      const executor = new ChangeExecutor({ client, clock: systemClock, controller: 'test' });
      const before = await client.create(greetings, newGreeting('shared', 'all'));
      const writers = ['a', 'b', 'c', 'd'].map((writer) => {
        const after = edit(before, (draft) => {
          draft.metadata.finalizers = [`samples.slipway.dev/${writer}`];
        });
        return executor.change({ verb: 'patch', resource: greetings, before, after, reason: 'Test', message: 'Test' });
      });
      await Promise.all(writers);
      const { metadata } = await client.get(greetings, { namespace, name: 'shared' });
      expect([...(metadata.finalizers ?? [])].sort()).toEqual(
        ['a', 'b', 'c', 'd'].map((each) => `samples.slipway.dev/${each}`),
      );
    });
  });
}

interface ConformanceContext {
  readonly run: () => Promise<Manager>;
  readonly textOf: (object: string, text: string) => Promise<unknown>;
  readonly reasonOf: (object: string, reason: string) => Promise<unknown>;
}

async function sampleStory(client: Client, { run, textOf, reasonOf }: ConformanceContext): Promise<void> {
  const manager = await run();
  const key = { namespace, name: 'g' };
  await client.create(greetings, newGreeting('g'));
  await reasonOf('g', 'WaitingForName');
  await client.patch(greetings, key, { type: 'merge', patch: { spec: { name: 'Ada' } } });
  await textOf('g', 'Hello, Ada!');
  await reasonOf('g', 'Greeted');
  const created = await client.get(configMaps, key);
  expect(created.metadata.ownerReferences).toMatchObject([{ kind: 'Greeting', name: 'g', controller: true }]);
  await client.delete(configMaps, key);
  await textOf('g', 'Hello, Ada!');
  await client.patch(greetings, key, { type: 'merge', patch: { spec: { name: 'Grace' } } });
  await textOf('g', 'Hello, Grace!');
  await manager.stop();
}
