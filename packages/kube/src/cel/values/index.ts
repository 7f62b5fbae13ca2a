export { codePointCount } from './bytes.js';
export { AppendedList, ArrayList, EntryMap, mapKey } from './collections.js';
export { compare, equal } from './equality.js';
export { fromJson, fromTypedJson, JsonList, withObjectMeta } from './json-values.js';
export { escapePropertyName } from './property-name.js';
export * from './time.js';
export * from './value.js';
export { OutOfCost, resetWork, work } from './work.js';
