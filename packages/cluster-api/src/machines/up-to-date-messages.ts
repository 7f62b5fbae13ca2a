import { type Frozen, parseTime } from '@slipway/kube';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import { createdMs } from './machine.js';
import { rolloutDifferences } from './rollout-fields.js';

/** Returns `rollout.after` if it has passed. Until then it has no effect. */
export function passedRolloutAfterMs(deployment: Frozen<MachineDeployment>, nowMs: number): number | undefined {
  const after = deployment.spec.rollout?.after;
  if (after === undefined) return undefined;
  const afterMs = parseTime(after);
  return afterMs <= nowMs ? afterMs : undefined;
}

/**
 * Returns why machines of the MachineSet are not up to date, as lines of a condition message. Empty if they are. A MachineSet
 * created before a past `rollout.after` is outdated, whatever its template.
 */
export function upToDateMessages(
  deployment: Frozen<MachineDeployment>,
  set: Frozen<MachineSet>,
  nowMs: number,
): string[] {
  const lines = rolloutDifferences(set.spec.template, deployment.spec.template);
  const afterMs = passedRolloutAfterMs(deployment, nowMs);
  if (afterMs !== undefined && createdMs(set) < afterMs) lines.push('* MachineDeployment spec.rolloutAfter expired');
  return lines;
}
