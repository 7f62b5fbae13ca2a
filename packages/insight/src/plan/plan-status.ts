import type { Plan } from './plan.js';

/** The result of a plan as a single value. */
type PlanStatus = 'noChanges' | 'changes' | 'blocked' | 'notSettled';

/**
 * Summarizes a plan. `blocked`: a user has to act first. `notSettled`: the simulation ended before all objects reached their
 * desired state.
 */
export function planStatus({ missing, blocked, isSettled, machines, steps, objects }: Plan): PlanStatus {
  if (missing.length > 0 || blocked.length > 0) return 'blocked';
  if (!isSettled) return 'notSettled';
  return machines.length + steps.length + objects.length > 0 ? 'changes' : 'noChanges';
}
