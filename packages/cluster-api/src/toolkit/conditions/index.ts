export type { MergePriority } from './merge-strategy.js';
export { defaultPriority, reasonByWorst } from './merge-strategy.js';
export { mirrorCondition, noReasonReported } from './mirror.js';
export { aggregateCondition, summaryCondition } from './summary.js';
export type { ConditionSeverity, V1beta1Condition, V1beta1Conditioned, V1beta1Target } from './v1beta1.js';
export { getV1beta1Condition, markFalse, markTrue, markUnknown, setV1beta1Condition } from './v1beta1.js';
export type { V1beta1State } from './v1beta1-summary.js';
export { setV1beta1Summary, stateV1beta1, summarizeV1beta1, worstV1beta1 } from './v1beta1-summary.js';
