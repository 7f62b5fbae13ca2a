import { timeOf } from '@slipway/kube';
import { kubectlWords, refOf } from '../../objects/index.js';
import { badConditions, conditionFinding, type Rule } from '../view.js';

const moving: ReadonlySet<string> = new Set(['RollingOut', 'ScalingUp', 'ScalingDown', 'Updating', 'Remediating']);
/** They only say in sum what others say better. */
const sums: ReadonlySet<string> = new Set(['Available', 'Ready']);

/** A state that has lasted no longer is one on the way. */
const freshMs = 5 * 60_000;

/** The last resort: what the object says itself. */
export const anyCondition: Rule = (object, view) => {
  const bad = badConditions(object).filter(({ type }) => type !== 'Deleting');
  const condition =
    bad.find(({ type, status }) => status === 'False' && !sums.has(type) && !moving.has(type)) ??
    bad.find(({ type, status }) => status === 'True' && moving.has(type)) ??
    bad.find(({ type }) => !sums.has(type)) ??
    bad[0];
  if (condition === undefined) return undefined;
  const isFresh = view.nowMs - (timeOf(condition.lastTransitionTime) ?? 0) < freshMs;
  const isMoving = (moving.has(condition.type) || isFresh) && !condition.message.includes('blocked');
  const words = kubectlWords(refOf(object));
  return conditionFinding(isMoving ? 'InProgress' : 'ConditionNotMet', object, condition, view, [
    `kubectl describe ${words}`,
  ]);
};
