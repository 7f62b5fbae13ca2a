import { describe, expect, it } from 'vitest';
import type { ObjectKey } from '../client/index.js';
import { done } from '../controller/index.js';
import { bench, object, pods, sets } from '../testing/controller-bench.js';

describe('a controller with dynamic watches', () => {
  it('watches a resource once, and reconciles when one of its objects changes', async () => {
    const { api, clock, run } = bench();
    const seen: string[] = [];
    await api.client().create(sets, object('a'));
    run({
      reconcile: async (key, context) => {
        const source = await context.follow({ resource: pods, map: () => [{ namespace: 'ns', name: 'a' }] });
        seen.push(`${key.name}: ${[...source.list()].length}`);
        return done();
      },
    });
    await clock.advance(1);
    await api.client().create(pods, object('p', 'Pod'));
    await clock.advance(1);
    await api.client().create(pods, object('q', 'Pod'));
    await clock.advance(1);
    expect(seen).toEqual(['a: 0', 'a: 1', 'a: 2']);
  });

  it('reconciles keys of a trigger, until the controller stops', async () => {
    const { clock, run } = bench();
    const seen: string[] = [];
    let wake: ((key: ObjectKey) => void) | undefined;
    let disposed = false;
    const controller = run({
      triggers: [
        (enqueue) => {
          wake = enqueue;
          return { dispose: () => void (disposed = true) };
        },
      ],
      reconcile: async (key) => {
        seen.push(key.name);
        return done();
      },
    });
    wake?.({ namespace: 'ns', name: 'x' });
    await clock.advance(1);
    await controller.stop(0);
    wake?.({ namespace: 'ns', name: 'y' });
    await clock.advance(1);
    expect([seen, disposed]).toEqual([['x'], true]);
  });

  it('removes its listeners when a trigger fails to start', async () => {
    const { api, clock, run } = bench();
    const disposed: string[] = [];
    const seen: string[] = [];
    const trigger = (name: string) => () => ({ dispose: () => void disposed.push(name) });
    const failing = (): never => {
      throw new Error('no such device');
    };
    const reconcile = async ({ name }: ObjectKey) => (seen.push(name), done());
    expect(() => run({ triggers: [trigger('first'), trigger('second'), failing], reconcile })).toThrow(
      'no such device',
    );
    await api.client().create(sets, object('a'));
    await clock.advance(1);
    expect([disposed, seen]).toEqual([['second', 'first'], []]);
  });
});
