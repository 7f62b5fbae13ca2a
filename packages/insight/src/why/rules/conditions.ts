import { timeOf } from '@slipway/kube';
import { kubectlArguments, refOf } from '../../objects/index.js';
import { badConditions, conditionFinding, type Rule } from '../view.js';

const moving: ReadonlySet<string> = new Set(['RollingOut', 'ScalingUp', 'ScalingDown', 'Updating', 'Remediating']);
/** Conditions that summarize the others. All other conditions of an object are more specific. */
const summaries: ReadonlySet<string> = new Set(['Available', 'Ready']);

/** An unmet condition that changed within this time counts as in progress. */
const freshMs = 5 * 60_000;

/** The fallback rule: reports the most specific condition of the object that is not met. */
export const anyCondition: Rule = (object, view) => {
  // The conditions of a ClusterResourceSet are about all clusters that it selects, not only about this one.
  if (object.kind === 'ClusterResourceSet' && view.cluster !== undefined) return undefined;
  const bad = badConditions(object).filter(({ type }) => type !== 'Deleting');
  const condition =
    bad.find(({ type, status }) => status === 'False' && !summaries.has(type) && !moving.has(type)) ??
    bad.find(({ type, status }) => status === 'True' && moving.has(type)) ??
    bad.find(({ type }) => !summaries.has(type)) ??
    bad[0];
  if (condition === undefined) return undefined;
  const isFresh = view.nowMs - (timeOf(condition.lastTransitionTime) ?? 0) < freshMs;
  const isMoving = (moving.has(condition.type) || isFresh) && !condition.message.includes('blocked');
  const target = kubectlArguments(refOf(object));
  return conditionFinding(isMoving ? 'InProgress' : 'ConditionNotMet', object, condition, view, [
    `kubectl describe ${target}`,
  ]);
};
