import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { done } from '../controller/index.js';
import { bench, object, sets } from '../testing/controller-bench.js';
import { postponeMs } from './postponed-writes.js';

const summaries = { conditions: [], messages: ['Ready'] };
type Status = Record<string, unknown>;
const withStatus = (base: Frozen<KubeObject>, status: Status): Frozen<KubeObject> => ({ ...base, status });
const ready = (message: string, status = 'False'): Status => ({
  conditions: [{ type: 'Ready', status, reason: 'Counting', message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
});

/** A controller that gives the object the status in `desired`, and the statuses that it has stored. */
async function counting() {
  const { clock, client, run } = bench();
  await client.create(sets, { ...object('a'), status: ready('0') });
  const desired = { status: ready('0') };
  const controller = run({
    reconcile: async (key, context) => {
      const before = context.sources.sourceFor(sets).get(key);
      if (before === undefined) return done();
      const after = withStatus(before, desired.status);
      await context.change({
        verb: 'status',
        resource: sets,
        before,
        after,
        reason: 'Counted',
        message: 'Counted',
        summaries,
      });
      return done();
    },
  });
  await clock.advance(0);
  const set = async (status: Status): Promise<void> => {
    desired.status = status;
    controller.enqueue({ namespace: 'ns', name: 'a' });
    await clock.advance(10);
  };
  const stored = async (): Promise<unknown> => {
    const { status } = (await client.get(sets, { namespace: 'ns', name: 'a' })) as { status?: unknown };
    return status;
  };
  return { clock, controller, set, stored };
}

describe('a status whose summaries change', () => {
  it('is written once for a burst of changes', async () => {
    const { clock, controller, set, stored } = await counting();
    for (const message of ['1', '2', '3']) await set(ready(message));
    expect(await stored()).toEqual(ready('0'));
    await clock.advance(postponeMs);
    expect(await stored()).toEqual(ready('3'));
    await controller.stop(0);
  });

  it('is written in time although its summaries never stop changing', async () => {
    const { controller, set, stored } = await counting();
    const count = postponeMs / 10 + 1;
    for (let index = 1; index <= count; index += 1) await set(ready(String(index)));
    expect(await stored()).not.toEqual(ready('0'));
    await controller.stop(0);
  });

  it('is written immediately with everything else that changes', async () => {
    const { clock, controller, set, stored } = await counting();
    await set(ready('1'));
    await set(ready('2', 'True'));
    expect(await stored()).toEqual(ready('2', 'True'));
    await set(ready('3', 'True'));
    expect(await stored()).toEqual(ready('2', 'True'));
    await clock.advance(postponeMs);
    expect(await stored()).toEqual(ready('3', 'True'));
    await controller.stop(0);
  });
});
