export { codePointCount } from './bytes.js';
export { AppendedList, ArrayList, EntryMap, mapKey } from './collections.js';
export { compare, compareNumbers, compareText, equal, isNumber } from './equality.js';
export { fromJson, fromTypedJson, JsonList, JsonMap, jsonEqual, withObjectMeta } from './json-values.js';
export { escapePropertyName, unescapePropertyName } from './property-name.js';
export * from './time.js';
export * from './value.js';
export { OutOfCost, resetWork, work } from './work.js';
