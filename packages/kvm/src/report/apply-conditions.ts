import { reasons } from '@slipway/cluster-api';
import {
  type Conditioned,
  type ConditionTarget,
  type NewCondition,
  reasonByWorst,
  setCondition,
  summaryCondition,
} from '@slipway/runtime';
import { kvmConditions } from '../api/index.js';

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

/** Sets what was found out, and sums up those that matter in Ready. */
export function applyConditions(
  draft: ConditionTarget,
  found: readonly Pick<NewCondition, 'type' | 'status' | 'reason' | 'message'>[],
  types: readonly string[],
  nowMs: number,
): void {
  for (const condition of found) setCondition(draft, condition, nowMs);
  const options = { types, strategy: { reasonOf } };
  setCondition(draft, summaryCondition(draft as Conditioned, kvmConditions.ready, options), nowMs);
}
