import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { InformerFactory, shardOf } from '@slipway/runtime';
import {
  LeaseHistory,
  createWritten,
  handOverMsMax,
  type KillTarget,
  namespace,
  openWorkers,
} from './lease-history.js';

const shards = 4;
const objects = Array.from({ length: 12 }, (_, index) => `written-${index}`);

/** The Lease of the shard that contains the object. All managers compute the same shard. */
const shardLeaseOf = (object: string): string => `writers-shard-${shardOf(`${namespace}/${object}`, shards)}`;

/** Tests leader election after the leader is killed with `kill -9`, based on the history on the server. */
export function leaderKillConformance(name: string, start: () => Promise<KillTarget>): void {
  describe(`after kill -9: ${name}`, () => {
    const scope = new Scope();
    afterAll(() => scope.dispose());

    const open = async (names: readonly string[]): Promise<{ target: KillTarget; history: LeaseHistory }> => {
      const target = await start();
      scope.defer(() => target.stop());
      const { client } = target;
      const factory = scope.add(new InformerFactory({ client, clock: systemClock, random: systemRandom }));
      await createWritten(client, names);
      return { target, history: new LeaseHistory(factory) };
    };

    it('hands over leadership within the lease duration, and no two managers ever write in one term', async () => {
      const { target, history } = await open(['written']);
      const launch = await openWorkers(scope, target.kubeconfig);
      const children = new Map(['one', 'two'].map((identity) => [identity, launch(identity)]));
      // Wait for ten writes, so that the leader is killed under load, while writes may be pending.
      const writtenByOther = (than: string): Promise<string> =>
        history.objects.waitFor(
          (view) => {
            const { by, count } = view.get({ namespace, name: 'written' })?.data ?? {};
            return by !== than && Number(count) >= 10 && by;
          },
          { signal: AbortSignal.timeout(60_000) },
        );
      const gaps: number[] = [];
      let leader = await writtenByOther('');
      for (const next of ['three', 'four']) {
        children.set(next, launch(next));
        await kill(children.get(leader));
        const last = history.lastBy(leader);
        leader = await writtenByOther(leader);
        gaps.push(history.firstBy(leader) - last);
      }
      const { terms, violations } = history.check(() => 'writers');
      expect(violations).toEqual([]);
      expect([...terms.keys()]).toEqual(['writers 0', 'writers 1', 'writers 2']);
      expect([...terms.values()].map((writers) => writers.size)).toEqual([1, 1, 1]);
      for (const gap of gaps) expect(gap).toBeLessThan(handOverMsMax);
      for (const child of children.values()) await kill(child);
    }, 240_000);

    it('hands over the shards of a killed manager, and no two managers reconcile the same cluster', async () => {
      const { target, history } = await open(objects);
      const launch = await openWorkers(scope, target.kubeconfig, shards);
      const children = new Map(['one', 'two'].map((identity) => [identity, launch(identity)]));
      await sharedBy(history, ['one', 'two']);
      children.set('three', launch('three'));
      await sharedBy(history, ['one', 'two', 'three']);
      await kill(children.get('one'));
      const killedAt = performance.now();
      await sharedBy(history, ['two', 'three']);
      // Managers balance shards once per retry period, and acquire expired leases in the following period.
      expect(performance.now() - killedAt).toBeLessThan(handOverMsMax + 2_000);
      const { terms, violations } = history.check(shardLeaseOf);
      expect(violations).toEqual([]);
      expect([...terms].filter(([, writers]) => writers.size !== 1)).toEqual([]);
      for (const child of children.values()) await kill(child);
    }, 240_000);
  });
}

/** Resolves when every object has been written again by a live process, and every live process has written some. */
function sharedBy(history: LeaseHistory, alive: readonly string[]): Promise<unknown> {
  const since = performance.now();
  return history.objects.waitFor(
    () => {
      const recent = history.writes.filter(({ at, writer }) => at > since && alive.includes(writer));
      return (
        new Set(recent.map(({ object }) => object)).size === objects.length &&
        new Set(recent.map(({ writer }) => writer)).size === alive.length
      );
    },
    { signal: AbortSignal.timeout(60_000) },
  );
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
