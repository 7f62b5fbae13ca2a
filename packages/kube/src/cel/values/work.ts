/**
 * The cost model charges a comparison of two lists by their length, not by what is inside them, and a regular
 * expression by the length of its text. An expression that repeats such an operation can therefore stay within its cost
 * and still run for minutes. This meter counts the steps of those operations; expressions run one at a time and to the
 * end, so one counter serves.
 */
const STEPS_MAX = 5_000_000;

export class OutOfCost extends Error {
  override readonly name = 'OutOfCost';
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

let steps = 0;

export function resetWork(): void {
  steps = 0;
}

export function work(count: number): void {
  steps += count;
  if (steps > STEPS_MAX) throw new OutOfCost();
}
