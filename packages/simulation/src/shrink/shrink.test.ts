import { expect, it } from 'vitest';
import { makePlan, type Plan } from '../plan/plan.js';
import type { SimulationResult } from '../run/simulate.js';
import { Transcript } from '../report/transcript.js';
import { Violation } from '../report/violation.js';
import { shrink } from './shrink.js';

function resultOf(plan: Plan, fails: boolean): SimulationResult {
  const violation = fails ? new Violation('everything converges', 'it does not') : undefined;
  return { plan, violation, transcript: new Transcript(() => 0), simulatedMs: 0, writes: 0 };
}

it('keeps only the events that the failure needs', async () => {
  const plan = makePlan({ seed: 5, clusters: 6, minutes: 45 });
  const needed = [plan.actions[3]?.atMs, plan.faults[1]?.atMs];
  const run = (tried: Plan): Promise<SimulationResult> => {
    const times = [...tried.actions, ...tried.faults].map(({ atMs }) => atMs);
    return Promise.resolve(
      resultOf(
        tried,
        needed.every((atMs) => atMs !== undefined && times.includes(atMs)),
      ),
    );
  };
  const shorter = await shrink(resultOf(plan, true), () => undefined, run);
  expect([...shorter.plan.actions, ...shorter.plan.faults].map(({ atMs }) => atMs)).toEqual(needed);
});

it('does not accept a violation of another invariant as the same failure', async () => {
  const plan = makePlan({ seed: 5, clusters: 3, minutes: 45 });
  const other = (tried: Plan): Promise<SimulationResult> =>
    Promise.resolve({ ...resultOf(tried, true), violation: new Violation('no surplus machine', 'another') });
  const shorter = await shrink(resultOf(plan, true), () => undefined, other);
  expect(shorter.plan).toEqual(plan);
});
