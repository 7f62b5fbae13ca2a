export { createMachineSetController, machineSetPreflightChecks } from './controller.js';
export {
  type DeletionCause,
  type DeletionOrder,
  type DeletionPriority,
  deletionPriority,
  inDeletionOrder,
  type MachineToDelete,
} from './delete-priority.js';
export { cloneForMachine, deletionTimeoutsInPlace, machineInPlace, newMachine } from './desired-machine.js';
export { drawMachineName } from './machine-name.js';
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
  type PreflightCheckName,
  type PreflightFailure,
  type PreflightInput,
  runPreflightChecks,
} from './preflight-checks.js';
export {
  planRemediation,
  type RemediationChange,
  type RemediationInput,
  type RemediationPlan,
} from './remediation-planner.js';
export type { CreateBlock, MachineIntent, ReplicaChange, ReplicaPlan } from './replica-plan.js';
export { planReplicas, preflightRetryMs, type ReplicaInput } from './replica-planner.js';
