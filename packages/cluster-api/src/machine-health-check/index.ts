export { createMachineHealthCheckController } from './controller.js';
export {
  type HealthCheckInput,
  isTarget,
  planHealthCheck,
} from './health-check-planner.js';
export {
  evaluateTarget,
  type HealthTarget,
  type NodeState,
  remediationLimit,
  type TargetHealth,
} from './target-health.js';
