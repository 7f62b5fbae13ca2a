export { confirmWanted } from './confirm-wanted.js';
export { edit } from './edit.js';
export type { FinalizerResult } from './finalizers.js';
export {
  addFinalizer,
  ensureFinalizer,
  hasFinalizer,
  isDeleting,
  releaseFinalizer,
  removeFinalizer,
} from './finalizers.js';
export type { OpenOptions } from './open-reconcile.js';
export { openReconcile } from './open-reconcile.js';
export type { Outcome } from './outcome.js';
export { done, joinOutcomes, retry, terminal, wait } from './outcome.js';
export {
  controllerOf,
  ensureOwnerReference,
  isControlledBy,
  isOwnedBy,
  isSameOwner,
  ownerReference,
  removeOwnerReference,
} from './owner-references.js';
export type { PatchOptions } from './patch-object.js';
export { patchObject } from './patch-object.js';
export type { Pausing } from './pause.js';
export { hasAnnotation, isPaused, pausedAnnotation, pausedCondition } from './pause.js';
export type { ReconcileErrorOptions, RetryPolicy } from './reconcile-error.js';
export { ReconcileError } from './reconcile-error.js';
