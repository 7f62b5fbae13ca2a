import { makePlan } from '../plan/plan.js';
import { simulate } from '../run/simulate.js';
import type { SoakAnswer, SoakOrder } from './soak-worker.js';

// Disable stack traces: the simulation rejects many writes, and a stack trace for each would be slow.
Error.stackTraceLimit = 0;

/** A worker process: runs the seeds that it receives, one after another, until its parent disconnects. */
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
