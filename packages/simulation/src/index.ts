export { makePlan, type Fault, type Plan, type PlanOptions, type UserAction } from './run/plan.js';
export { simulate, type SimulateOptions, type SimulationResult } from './run/simulate.js';
export { type InvariantName, Violation } from './run/violation.js';
export { simulateShards, type ShardsOptions, type ShardsResult } from './shards/simulate-shards.js';
