export { drainMessage, drainNode, isDrained, planNodeDrain } from './drain-node.js';
export {
  classifyPod,
  type DrainRule,
  drainRulesFor,
  type ObservedPod,
  planDrain,
  type PodSurroundings,
} from './drain-plan.js';
