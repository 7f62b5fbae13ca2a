import { describe, expect, it } from 'vitest';
import { type Random, seededRandom, VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Fault, FakeCollection } from './fake-collection.js';
import { InformerFactory } from './informer-factory.js';

const faults: readonly (Fault | undefined)[] = ['refuse', 'hang', 'gone', 'drop', 'error-event', 'short'];

/** Follows the events of an informer, and fails on an event that is inconsistent with the previous ones. */
class Mirror {
  readonly objects = new Map<string, Frozen<KubeObject>>();
  readonly problems: string[] = [];

  added(object: Frozen<KubeObject>): void {
    const name = object.metadata.name ?? '';
    if (this.objects.has(name)) this.problems.push(`${name} was added twice`);
    this.objects.set(name, object);
  }

  updated(object: Frozen<KubeObject>, previous: Frozen<KubeObject>): void {
    const name = object.metadata.name ?? '';
    if (this.objects.get(name) !== previous)
      this.problems.push(`${name} was updated from a state that was not reported`);
    if (Number(object.metadata.resourceVersion) <= Number(previous.metadata.resourceVersion))
      this.problems.push(`${name} went back in time`);
    this.objects.set(name, object);
  }

  deleted(object: Frozen<KubeObject>): void {
    const name = object.metadata.name ?? '';
    if (!this.objects.delete(name)) this.problems.push(`${name} was deleted but never added`);
  }
}

function changeSomething(server: FakeCollection, random: Random): void {
  const name = `x${Math.floor(random.next() * 8)}`;
  const choice = random.next();
  if (choice < 0.6) server.set(name, Math.floor(random.next() * 1000), `${name}-${Math.floor(random.next() * 2)}`);
  else if (choice < 0.85) server.remove(name);
  else if (choice < 0.95) server.endWatches();
  else server.compact();
}

async function soak(seed: number): Promise<{ problems: readonly string[]; equal: boolean; calls: number }> {
  const random = seededRandom(seed);
  const clock = new VirtualClock();
  const server = new FakeCollection();
  server.duplicates = random.next() < 0.5;
  server.streams = random.next() < 0.7;
  server.faultFor = () => (random.next() < 0.4 ? faults[Math.floor(random.next() * faults.length)] : undefined);
  const factory = new InformerFactory({ client: server.client(), clock, random });
  const informer = factory.informer(server.resource);
  const mirror = new Mirror();
  informer.addHandler(mirror);
  for (let step = 0; step < 150; step += 1) {
    changeSomething(server, random);
    if (random.next() < 0.5) await clock.advance(Math.floor(random.next() * 20_000));
  }
  server.faultFor = () => undefined;
  await clock.advance(600_000);
  const expected = new Map(server.objects.map((object) => [object.metadata.name ?? '', object]));
  const cached = new Map(informer.list().map((object) => [object.metadata.name ?? '', object]));
  const same = (other: ReadonlyMap<string, unknown>): boolean =>
    other.size === expected.size && [...expected].every(([name, object]) => other.get(name) === object);
  await factory.dispose();
  return { problems: mirror.problems, equal: same(cached) && same(mirror.objects), calls: server.calls.length };
}

describe('an informer under random faults', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'reaches the state of the server in the cache and the handlers: seed %i',
    async (seed) => {
      const run = await soak(seed);
      expect(run.problems).toEqual([]);
      expect(run.equal).toBe(true);
      expect(run.calls).toBeLessThan(2_000);
    },
  );
});
