export type { ObservedPod, PodSurroundings } from './classify-pod.js';
export { classifyPod } from './classify-pod.js';
export { drainNode, planNodeDrain } from './drain-node.js';
export { planDrain } from './drain-plan.js';
export { drainMessage, isDrained } from './drain-result.js';
export type { DrainRule } from './drain-rules.js';
export { drainRulesFor } from './drain-rules.js';
