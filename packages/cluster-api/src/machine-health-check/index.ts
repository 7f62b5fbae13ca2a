export { createMachineHealthCheckController } from './controller.js';
export type { HealthCheckChange, HealthCheckEvent, HealthCheckPlan } from './health-check-plan.js';
export { type HealthCheckInput, isTarget, planHealthCheck } from './health-check-planner.js';
export { type HealthCounts, type RemediationLimit, remediationLimit } from './remediation-limit.js';
export {
  evaluateTarget,
  type HealthContext,
  type HealthResult,
  type HealthTarget,
  type NodeState,
  type ObservedHealthCheck,
  type TargetHealth,
} from './target-health.js';
