export { createMachineDeploymentController } from './controller.js';
export {
  deploymentConditions,
  deploymentCounters,
} from './deployment-status.js';
export {
  rolloutLimits,
  type RolloutPlan,
  RolloutPlanError,
  type RolloutStep,
} from './rollout-plan.js';
export { planRollout } from './rollout-planner.js';
