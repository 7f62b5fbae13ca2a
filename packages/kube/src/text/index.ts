export type { IpRange } from './cidr.js';
export { bitsOf, cidrContains, cidrsOverlap, formatCidr, isCidr, maskCidr, rangeOf, tryParseCidr } from './cidr.js';
export { durationToMs, formatDuration, msToDuration, parseDuration, tryParseDuration } from './duration.js';
export { fieldManagerName } from './field-manager-name.js';
export type { Fields } from './fields.js';
export {
  ensureFields,
  ensureList,
  fieldsOf,
  integerAt,
  isFields,
  itemsOf,
  listAt,
  numberOf,
  recordAt,
  textAt,
  textOf,
  textsAt,
  textsOf,
  valueAt,
} from './fields.js';
export {
  aggregateText,
  formatGoFloat,
  quoteGo,
  quoteGoList,
} from './go-format.js';
export { formatAge, humanDuration } from './human-duration.js';
export type { IpAddress, IpFamily } from './ip-address.js';
export {
  formatIp,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  tryParseIp,
} from './ip-address.js';
export type { Quantity } from './quantity.js';
export {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from './quantity.js';
export { formatMicroTime, formatTime, isTime, normalizeMicroTime, normalizeTime, parseTime, timeOf } from './time.js';
export { generateUid, isUuid } from './uuid.js';
