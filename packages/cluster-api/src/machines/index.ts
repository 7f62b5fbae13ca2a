export { bootstrapCondition } from './bootstrap-condition.js';
export { inBatches } from './in-batches.js';
export {
  compareAges,
  compareNames,
  countsAs,
  createdMs,
  hasAnnotation,
  isControlPlaneMachine,
  isDeleting,
  isMarkedForRemediation,
  isOwnerToRemediate,
  isUnhealthy,
  isUpdatingInPlace,
  nameOf,
  type ObservedMachine,
} from './machine.js';
export {
  deletingCondition,
  machinesReadyCondition,
  machinesUpToDateCondition,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
  upToDateDueMs,
} from './machine-conditions.js';
export {
  machinesAre,
  type MissingTemplates,
  missingTemplatesMessage,
  slowDrainCauses,
  staleInMs,
  staleMachinesMessage,
} from './machine-messages.js';
export { isEmptySelector, orphanIndex } from './orphan-index.js';
export { rolloutDifferences, rolloutHash } from './rollout-fields.js';
export { drawUniqueName } from './unique-name.js';
export { aggregateV1beta1Ready } from './v1beta1-merge.js';
export { passedRolloutAfterMs, upToDateMessages } from './up-to-date-messages.js';
