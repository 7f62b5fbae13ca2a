export { asJson, asObject } from './as-json.js';
export type { Frozen, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference, TypeMeta } from './object-meta.js';
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from './group-version.js';
export { formatApiVersion, parseApiVersion, qualifiedResource } from './group-version.js';
export type { RandomSource } from './generate-name.js';
export { generateName, randomSuffix } from './generate-name.js';
export type { IntOrString, Rounding } from './int-or-string.js';
export { scaleIntOrPercent } from './int-or-string.js';
export type { NameRule } from './name-rules.js';
export {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  patternText,
} from './name-rules.js';
export type { ObjectMetaRules } from './validate-object-meta.js';
export {
  finalizerWarnings,
  validateAnnotations,
  validateFieldManager,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from './validate-object-meta.js';
export { compareVersionPriority } from './version-priority.js';
