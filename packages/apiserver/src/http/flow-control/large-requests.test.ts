import { systemClock, VirtualClock } from '@slipway/base';
import { expect, it } from 'vitest';
import { LargeRequests } from './large-requests.js';

const never = (): AbortSignal => new AbortController().signal;
const large = 1_000_000;

/** Lets the event loop turn several times, as a pause without a timer needs. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('does not delay requests that are not large', () => {
  expect(new LargeRequests(new VirtualClock()).open('jane').step(1_000, never)).toBeUndefined();
});

it('processes the large requests of a user one after another, and those of other users at the same time', async () => {
  const requests = new LargeRequests(new VirtualClock());
  const started: string[] = [];
  const [first, second, other] = [requests.open('jane'), requests.open('jane'), requests.open('joe')];
  void first.step(large, never)?.then(() => started.push('first'));
  void second.step(large, never)?.then(() => started.push('second'));
  void other.step(large, never)?.then(() => started.push('other'));
  await turns();
  expect(started).toEqual(['first', 'other']);
  first.leave();
  await turns();
  expect(started).toEqual(['first', 'other', 'second']);
});

it('pauses after a step for a time that grows with the square of its duration', async () => {
  const request = new LargeRequests(systemClock).open('jane');
  const pauseAfter = async (ms: number): Promise<number> => {
    await request.step(large, never);
    const usage = process.cpuUsage();
    while (process.cpuUsage(usage).user < ms * 1_000);
    const startedAt = performance.now();
    // Later steps of a large request pause whatever their size is.
    await request.step(0, never);
    return performance.now() - startedAt;
  };
  expect(await pauseAfter(20)).toBeGreaterThanOrEqual(79);
  expect(await pauseAfter(40)).toBeGreaterThanOrEqual(319);
});

it('ends a request whose client disconnected at its next step', async () => {
  const requests = new LargeRequests(new VirtualClock());
  const request = requests.open('jane');
  await request.step(large, never);
  const disconnect = new AbortController();
  disconnect.abort(new Error('disconnected'));
  await expect(request.step(large, () => disconnect.signal)).rejects.toThrow('disconnected');
});

it('gives up the place of a request that ended while it waited', async () => {
  const requests = new LargeRequests(new VirtualClock());
  const [first, second, third] = [requests.open('jane'), requests.open('jane'), requests.open('jane')];
  await first.step(large, never);
  void second.step(large, never);
  second.leave();
  first.leave();
  await expect(third.step(large, never)).resolves.toBeUndefined();
});
