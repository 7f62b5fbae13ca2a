import type { Fault, Plan, UserAction } from '../plan/plan.js';
import { simulate, type SimulationResult } from '../run/simulate.js';

type Step = { readonly action: UserAction } | { readonly fault: Fault };

/**
 * Finds a shorter history that violates the same invariant: removes pieces, large ones first, as long as the run still fails. Every
 * random source has its own stream, so that a removal changes little for the rest.
 */
export async function shrink(
  failing: SimulationResult,
  print: (text: string) => void,
  run: (plan: Plan) => Promise<SimulationResult> = simulate,
): Promise<SimulationResult> {
  let best = failing;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    const result = await run({ ...best.plan, ...partsOf(steps) });
    if (result.violation?.invariant !== failing.violation?.invariant) return false;
    best = result;
    print(`still fails with ${steps.length} events`);
    return true;
  };
  let size = Math.ceil(stepsOf(best.plan).length / 2);
  while (size >= 1) {
    let removed = false;
    for (let from = 0; from < stepsOf(best.plan).length; ) {
      const steps = stepsOf(best.plan);
      const rest = [...steps.slice(0, from), ...steps.slice(from + size)];
      if (await attempt(rest)) removed = true;
      else from += size;
    }
    // Repeat with single events until none can be removed: one removal can make another possible.
    if (size === 1 && !removed) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return best;
}

function stepsOf(plan: Plan): Step[] {
  return [...plan.actions.map((action) => ({ action })), ...plan.faults.map((fault) => ({ fault }))];
}

function partsOf(steps: readonly Step[]): Pick<Plan, 'actions' | 'faults'> {
  return {
    actions: steps.flatMap((step) => ('action' in step ? [step.action] : [])),
    faults: steps.flatMap((step) => ('fault' in step ? [step.fault] : [])),
  };
}
