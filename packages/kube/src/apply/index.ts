export { applyConfiguration } from './apply-configuration.js';
export { type FieldSet, fieldSetOf } from './field-set.js';
export { lastAppliedAnnotation } from './last-applied.js';
export { exceedsManagedSize } from './managed-size.js';
export { sameExceptManagedFieldTimes } from './no-op.js';
export { overlayConfiguration } from './overlay-configuration.js';
export { fieldKey } from './path-key.js';
export { type ManagedWrite, updateManagedFields, type UpdateWrite } from './update-managed-fields.js';
export type { VersionPort } from './versions.js';
