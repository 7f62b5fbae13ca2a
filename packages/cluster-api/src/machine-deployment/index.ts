export { createMachineDeploymentController } from './controller.js';
export {
  type DeploymentConditionsInput,
  deploymentConditions,
  type DeploymentCounters,
  deploymentCounters,
  type DeploymentPhase,
} from './deployment-status.js';
export {
  type CreateReason,
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  type RolloutLimits,
  rolloutLimits,
  type RolloutPlan,
  RolloutPlanError,
  type RolloutStep,
  type RolloutStrategy,
  type ScaleReason,
  type ScaleStep,
  strategyOf,
} from './rollout-plan.js';
export {
  findMachineSets,
  type MachineSetsOfDeployment,
  planRollout,
  rolloutAfterInMs,
  type RolloutInput,
} from './rollout-planner.js';
