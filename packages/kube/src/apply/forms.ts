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

/** As what a value of this type is read: by its own form if the type admits that, else by the type's first form. */
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

/** A member of a map, declared or not. What the schema does not know (and strict decoding let pass) is deduced. */
export function memberOf(map: MapType, name: string): FieldMember {
  return map.field(name) ?? { key: fieldKey(name), type: map.element ?? deducedType };
}
