export { asJson, asObject } from './as-json.js';
export { generateName, type RandomSource, randomSuffix } from './generate-name.js';
export {
  formatApiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
  qualifiedResource,
} from './group-version.js';
export { scaleIntOrPercent } from './int-or-string.js';
export {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  type NameRule,
} from './name-rules.js';
export type { Frozen, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.js';
export { compareVersionPriority } from './version-priority.js';
