export {
  bitsOf,
  cidrContains,
  cidrsOverlap,
  formatCidr,
  type IpRange,
  isCidr,
  maskCidr,
  rangeOf,
  tryParseCidr,
} from './cidr.js';
export { durationToMs, formatDuration, msToDuration, parseDuration, tryParseDuration } from './duration.js';
export { fieldManagerName } from './field-manager-name.js';
export {
  ensureFields,
  ensureList,
  type Fields,
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
export { aggregateText, formatGoFloat, quoteGo, quoteGoList } from './go-format.js';
export { formatAge, humanDuration } from './human-duration.js';
export {
  formatIp,
  type IpAddress,
  type IpFamily,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  tryParseIp,
} from './ip-address.js';
export {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from './quantity.js';
export { formatMicroTime, formatTime, isTime, normalizeMicroTime, normalizeTime, parseTime, timeOf } from './time.js';
export { generateUid, isUuid } from './uuid.js';
