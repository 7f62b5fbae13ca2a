import type { Value } from '../values/index.js';
import { CelList, CelMap, Failure } from '../values/index.js';
import { runtimeType } from '../library/index.js';
import type { Plan } from './attribute.js';
import type { Frame } from './frame.js';

export interface ComprehensionPlan {
  readonly range: Plan;
  readonly initial: Plan;
  readonly accumulator: number;
  readonly variable: number;
  readonly variable2?: number;
  readonly condition: Plan;
  readonly step: Plan;
  readonly result: Plan;
}

export function runComprehension(frame: Frame, plan: ComprehensionPlan): Value {
  const range = plan.range.run(frame);
  if (range instanceof Failure) return range;
  frame.slots[plan.accumulator] = plan.initial.run(frame);
  if (range instanceof CelList) {
    for (let index = 0; index < range.size; index += 1) {
      const [first, second] = plan.variable2 === undefined ? [range.at(index)] : [BigInt(index), range.at(index)];
      if (!turn(frame, plan, first ?? null, second)) break;
    }
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) {
      const value = plan.variable2 === undefined ? undefined : (range.find(key) ?? null);
      if (!turn(frame, plan, key, value)) break;
    }
  } else {
    const { kind } = runtimeType(range);
    return new Failure(`got 'types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}', expected iterable type`);
  }
  return plan.result.run(frame);
}

/** Processes one element. Returns false if the loop condition ends the loop. */
function turn(frame: Frame, plan: ComprehensionPlan, first: Value, second: Value | undefined): boolean {
  frame.slots[plan.variable] = first;
  if (plan.variable2 !== undefined) frame.slots[plan.variable2] = second ?? null;
  if (plan.condition.run(frame) === false) return false;
  frame.slots[plan.accumulator] = plan.step.run(frame);
  return true;
}
