export { codePointCount } from './bytes.js';
export { AppendedList, ArrayList, EntryMap, mapKey } from './collections.js';
export { compare, equal } from './equality.js';
export { fromJson, fromTypedJson, JsonList, withObjectMeta } from './json-values.js';
export { escapePropertyName } from './property-name.js';
export {
  durationOf,
  fitsInt64,
  formatDurationSeconds,
  formatTimestamp,
  NANOS_PER_SECOND,
  splitSeconds,
  timestampOf,
} from './time.js';
export {
  CelList,
  CelMap,
  Duration,
  Failure,
  noSuchKey,
  noSuchOverload,
  Opaque,
  Optional,
  plainText,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.js';
export { OutOfCost, resetWork, work } from './work.js';
