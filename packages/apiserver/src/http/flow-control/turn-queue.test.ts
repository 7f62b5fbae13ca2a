import { expect, it } from 'vitest';
import { TurnQueue } from './turn-queue.js';

function burnedClock(): { monotonic(): number; burn(ms: number): void } {
  let now = 0;
  return { monotonic: () => now, burn: (ms) => void (now += ms) };
}

const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('starts a request immediately if no other request is being started', () => {
  const started: string[] = [];
  new TurnQueue(burnedClock()).run({}, () => started.push('only'));
  expect(started).toEqual(['only']);
});

it('starts the requests of connections in turn, each after the synchronous part of the previous one', async () => {
  const turns = new TurnQueue(burnedClock());
  const [loud, quiet] = [{}, {}];
  const seen: string[] = [];
  const request = (name: string) => async (): Promise<void> => {
    seen.push(`${name} starts`);
    await Promise.resolve();
    await Promise.resolve();
    seen.push(`${name} ends`);
  };
  for (const name of ['loud 1', 'loud 2', 'loud 3']) turns.run(loud, () => void request(name)());
  turns.run(quiet, () => void request('quiet')());
  await eventLoopTurn();
  const order = ['loud 1', 'loud 2', 'quiet', 'loud 3'];
  expect(seen).toEqual(order.flatMap((name) => [`${name} starts`, `${name} ends`]));
});

it('lets the event loop continue after some milliseconds', async () => {
  const clock = burnedClock();
  const turns = new TurnQueue(clock);
  const started: number[] = [];
  for (let index = 0; index < 9; index += 1)
    turns.run({}, () => {
      clock.burn(4);
      started.push(index);
    });
  const counts: number[] = [];
  while (started.length < 9) {
    await eventLoopTurn();
    counts.push(started.length);
  }
  expect(counts).toEqual([2, 4, 6, 8, 9]);
});
