export type { ConditionSource } from './aggregate-message.js';
export { pluralKind } from './aggregate-message.js';
export type { Condition, Conditioned, ConditionStatus, NewCondition } from './condition.js';
export {
  conditionReason,
  getCondition,
  hasCondition,
  isConditionFalse,
  isConditionTrue,
  isConditionUnknown,
  sameConditionState,
} from './condition.js';
export { compareConditions } from './condition-order.js';
export type { MergeGroups, MergePriority, MergeResult, MergeStrategy } from './merge-strategy.js';
export { defaultPriority, mergeConditions, reasonByWorst } from './merge-strategy.js';
export { ConditionConflictError, mergeConditionLists } from './merge-three-way.js';
export type { MirrorOptions } from './mirror.js';
export { mirrorCondition, noReasonReported, statusOf } from './mirror.js';
export type { ConditionTarget } from './set-condition.js';
export { deleteCondition, setCondition } from './set-condition.js';
export type { AggregateOptions, SummaryOptions } from './summary.js';
export { aggregateCondition, notYetReportedReason, summaryCondition } from './summary.js';
export type { ConditionSeverity, V1beta1Condition, V1beta1Conditioned, V1beta1Target } from './v1beta1.js';
export {
  getV1beta1Condition,
  markFalse,
  markTrue,
  markUnknown,
  mirrorV1beta1Ready,
  setV1beta1Condition,
} from './v1beta1.js';
export type { V1beta1SummaryOptions } from './v1beta1-summary.js';
export {
  setV1beta1Summary,
  stateV1beta1,
  summarizeV1beta1,
  type V1beta1State,
  worstV1beta1,
} from './v1beta1-summary.js';
export { withConditions } from './with-conditions.js';
