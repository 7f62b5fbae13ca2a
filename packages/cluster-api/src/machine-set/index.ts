export { createMachineSetController, machineSetPreflightChecks } from './controller.js';
export { cloneForMachine, deletionTimeoutsInPlace, machineInPlace, newMachine } from './desired-machine.js';
export {
  countersRetryMs,
  machineSetConditions,
  machineSetCounters,
} from './machine-set-status.js';
export {
  type PreflightInput,
  runPreflightChecks,
} from './preflight.js';
export { planRemediation, type RemediationInput } from './remediation.js';
export {
  type DeletionOrder,
  deletionPriority,
  drawMachineName,
  type MachineIntent,
  planReplicas,
  type ReplicaInput,
  type ReplicaPlan,
} from './replica-planner.js';
