export { createMachineHealthCheckController } from './controller.js';
export {
  type HealthCheckEvent,
  type HealthCheckInput,
  type HealthCheckPlan,
  type HealthCheckStep,
  isTarget,
  planHealthCheck,
} from './health-check-planner.js';
export {
  evaluateTarget,
  type HealthContext,
  type HealthCounts,
  type HealthResult,
  type HealthTarget,
  type NodeState,
  type ObservedHealthCheck,
  type RemediationLimit,
  remediationLimit,
  type TargetHealth,
} from './target-health.js';
