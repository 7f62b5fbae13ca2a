export type { ObservedPod, PodClass, PodSurroundings } from './classify-pod.js';
export { classifyPod, daemonSetOf } from './classify-pod.js';
export type { DrainPlan } from './drain-plan.js';
export { planDrain, podName } from './drain-plan.js';
export type { DrainResult } from './drain-result.js';
export { drainMessage, isDrained } from './drain-result.js';
export type { DrainRule } from './drain-rules.js';
export { drainRulesFor, ruleAppliesToPod } from './drain-rules.js';
