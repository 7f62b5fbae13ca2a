import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import {
  type Client,
  createController,
  createManager,
  done,
  edit,
  InformerFactory,
  informerSources,
  type Resource,
  type WatchEvent,
} from '@slipway/runtime';

const batchSize = 100;
const machines: Resource = { group: 'x.io', version: 'v1', kind: 'Machine', plural: 'machines', namespaced: true };

function machine(index: number, version: number): Frozen<KubeObject> {
  return deepFreeze<KubeObject>({
    apiVersion: 'x.io/v1',
    kind: 'Machine',
    metadata: {
      name: `m-${index}`,
      namespace: 'default',
      uid: `u-${index}`,
      resourceVersion: String(version),
      generation: version,
    },
    spec: { clusterName: 'bench', providerID: `x://${index}` },
    status: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  });
}

type Batch = readonly WatchEvent<KubeObject>[];

/** Delivers batches of events to the only watch of the benchmark. */
class Feed {
  readonly #batches: Batch[] = [];
  #wake: () => void = () => undefined;

  push(batch: Batch): void {
    this.#batches.push(batch);
    this.#wake();
  }

  async *watch(): AsyncGenerator<Batch> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) yield batch;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/**
 * Returns the CPU microseconds, for each round, of one reconcile that changes nothing, from the watch event to its end. The
 * client only delivers events, so the figure covers informer, queue, controller and metrics.
 */
export async function measureReconciles(objectCount: number, rounds: number): Promise<readonly number[]> {
  const feed = new Feed();
  let version = 1;
  const initial: WatchEvent<KubeObject>[] = [];
  for (let index = 0; index < objectCount; index += 1) initial.push({ type: 'ADDED', object: machine(index, version) });
  feed.push([...initial, { type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: true }]);
  const client = { sharesObjects: true, watch: () => feed.watch() } as unknown as Client;
  let reconciled = 0;
  let target = objectCount;
  let reached: () => void = () => undefined;
  const sources = informerSources(new InformerFactory({ client, clock: systemClock, random: systemRandom }));
  const source = sources.sourceFor(machines);
  const controller = createController({
    name: 'no-op',
    for: machines,
    concurrency: 10,
    async reconcile(key) {
      if (source.get(key) === undefined) throw new Error('the cache must contain the object');
      reconciled += 1;
      if (reconciled === target) reached();
      return done();
    },
  });
  const manager = createManager({
    name: 'bench',
    client,
    sources,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    controllers: [controller],
  });
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      reached = resolve;
      if (reconciled >= target) resolve();
    });
  // Keeps the process alive, which timers of the clock do not.
  const alive = setInterval(() => undefined, 1_000);
  await manager.start();
  await wait();
  const perRound: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    version += 1;
    const batches: WatchEvent<KubeObject>[][] = [];
    for (let index = 0; index < objectCount; index += batchSize)
      batches.push(
        Array.from({ length: batchSize }, (_, offset) => ({
          type: 'MODIFIED',
          object: machine(index + offset, version),
        })),
      );
    target += objectCount;
    const before = process.cpuUsage();
    for (const batch of batches) feed.push(batch);
    await wait();
    const used = process.cpuUsage(before);
    perRound.push((used.user + used.system) / objectCount);
  }
  clearInterval(alive);
  void manager.stop();
  return perRound;
}

/** Returns the microseconds to change one field of a draft, and of a structured clone. */
export function measureEdits(): { edited: number; cloned: number } {
  const object = machine(1, 1) as KubeObject & { status: { phase?: string } };
  const count = 100_000;
  const time = (work: (index: number) => void): number => {
    const start = performance.now();
    for (let index = 0; index < count; index += 1) work(index);
    return ((performance.now() - start) * 1_000) / count;
  };
  const edited = time((index) =>
    edit(object, (draft) => {
      draft.status.phase = String(index);
    }),
  );
  const cloned = time((index) => {
    const copy = structuredClone(object);
    copy.status.phase = String(index);
    deepFreeze(copy);
  });
  return { edited, cloned };
}
