export { createMachineDeploymentController } from './controller.js';
export { deploymentConditions, type DeploymentConditionsInput } from './deployment-conditions.js';
export {
  type DeploymentCounters,
  deploymentCounters,
  type DeploymentPhase,
  isRolloutComplete,
} from './deployment-status.js';
export {
  findMachineSets,
  type MachineSetsOfDeployment,
  rolloutAfterInMs,
} from './find-machine-sets.js';
export { type RolloutLimits, rolloutLimits, type RolloutStrategy, strategyOf } from './rollout-limits.js';
export {
  type CreateReason,
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  type RolloutChange,
  type RolloutPlan,
  RolloutPlanError,
  type ScaleReason,
  type ScaleStep,
} from './rollout-plan.js';
export { planRollout, type RolloutInput } from './rollout-planner.js';
