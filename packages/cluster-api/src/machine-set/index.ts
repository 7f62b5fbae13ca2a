export { createMachineSetController, machineSetPreflightChecks } from './controller.js';
export { cloneForMachine, deletionTimeoutsInPlace, machineInPlace, newMachine } from './desired-machine.js';
export type { PreflightCheckName } from './machine-set-scope.js';
export {
  countersRetryMs,
  type MachineSetConditionsInput,
  machineSetConditions,
  type MachineSetCounters,
  machineSetCounters,
} from './machine-set-status.js';
export {
  type ControlPlaneState,
  type PreflightCheck,
  type PreflightFailure,
  type PreflightInput,
  runPreflightChecks,
} from './preflight.js';
export { planRemediation, type RemediationInput, type RemediationPlan, type RemediationStep } from './remediation.js';
export {
  type CreateBlock,
  type DeletionCause,
  type DeletionOrder,
  type DeletionPriority,
  deletionPriority,
  drawMachineName,
  inDeletionOrder,
  type MachineIntent,
  type MachineToDelete,
  planReplicas,
  preflightRetryMs,
  type ReplicaInput,
  type ReplicaPlan,
  type ReplicaStep,
} from './replica-planner.js';
