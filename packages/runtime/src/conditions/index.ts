export type { Condition, Conditioned, ConditionStatus, NewCondition } from './condition.js';
export {
  conditionReason,
  getCondition,
  hasCondition,
  isConditionFalse,
  isConditionTrue,
} from './condition.js';
export { compareConditions } from './condition-order.js';
export { ConditionConflictError, mergeConditionLists } from './merge-three-way.js';
export type { ConditionTarget } from './set-condition.js';
export { deleteCondition, setCondition } from './set-condition.js';
export { withConditions } from './with-conditions.js';
