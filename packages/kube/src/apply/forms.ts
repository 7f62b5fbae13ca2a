import type { JsonObject, JsonValue } from '../json/index.js';
import { deducedType, type FieldMember, type FieldType, type MapType } from './field-type.js';
import { fieldKey } from './path-key.js';

export type Form = 'map' | 'scalar' | 'list';

export function isMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the form in which to read a value: its own form if the type allows it, else the first form of the type. */
export function formOf(type: FieldType, value: JsonValue | undefined): Form {
  if (value !== undefined && value !== null) {
    if (isList(value)) {
      if (type.list !== undefined) return 'list';
    } else if (typeof value === 'object') {
      if (type.map !== undefined) return 'map';
    } else if (type.scalar !== undefined) return 'scalar';
  }
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? 'scalar' : 'list';
}

/**
 * Returns the type of a map member. For an undeclared member, which strict decoding accepted, the type is deduced from its value.
 */
export function memberOf(map: MapType, name: string): FieldMember {
  return map.field(name) ?? { key: fieldKey(name), type: map.element ?? deducedType };
}
