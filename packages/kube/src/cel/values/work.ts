/**
 * Maximum number of steps of operations that the cost model does not limit: it charges a comparison of two lists by their length,
 * not by their content, and a regular expression by the length of the text. An expression that repeats such an operation can stay
 * within its cost limit and still run for minutes. Evaluation is synchronous, so one counter is enough.
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
