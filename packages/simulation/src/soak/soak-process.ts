import { makePlan } from '../run/plan.js';
import { simulate } from '../run/simulate.js';
import type { SoakAnswer, SoakOrder } from './soak-worker.js';

// Every refused write would pay for where it came from.
Error.stackTraceLimit = 0;

/** One worker: runs the seeds that it is told, one after the other, until nobody tells it any more. */
process.on('message', (order: SoakOrder) => {
  void run(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));

async function run(order: SoakOrder): Promise<SoakAnswer> {
  const before = process.cpuUsage();
  const { violation, simulatedMs, writes } = await simulate(makePlan(order));
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000;
  return { simulatedMs, writes, cpuMs, ...(violation === undefined ? {} : { violation: violation.message }) };
}
