export type { ApplyResult, ApplyWrite } from './apply-configuration.js';
export { applyConfiguration } from './apply-configuration.js';
export { formatFieldPath, formatFieldPaths } from './field-path.js';
export type { FieldSet } from './field-set.js';
export {
  difference as differenceOfFields,
  equalSets as equalFieldSets,
  fieldSetOf,
  hasMember as hasField,
  intersection as intersectionOfFields,
  isEmptySet as isEmptyFieldSet,
  leaves as leafFields,
  union as unionOfFields,
  withPrefix as fieldsBelow,
} from './field-set.js';
export type { FieldType } from './field-type.js';
export { rootFieldType } from './field-type.js';
export { decodeFieldsV1 } from './fields-v1.js';
export { lastAppliedAnnotation } from './last-applied.js';
export { sameExceptManagedFieldTimes } from './no-op.js';
export { ownedFields } from './owned-fields.js';
export { overlayConfiguration } from './overlay-configuration.js';
export type { PathKey } from './path-key.js';
export { fieldKey } from './path-key.js';
export { extractFields } from './remove-fields.js';
export type { ManagedWrite, UpdateWrite } from './update-managed-fields.js';
export { updateManagedFields } from './update-managed-fields.js';
export type { VersionPort } from './versions.js';
