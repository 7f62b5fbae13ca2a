export { confirmWanted } from './confirm-wanted.js';
export { hasAnnotation } from './annotations.js';
export {
  addFinalizer,
  ensureFinalizer,
  hasFinalizer,
  releaseFinalizer,
  removeFinalizer,
} from './finalizers.js';
export {
  controllerOf,
  ensureOwnerReference,
  isControlledBy,
  isOwnedBy,
  isSameOwner,
  ownerReference,
  removeOwnerReference,
} from './owner-references.js';
