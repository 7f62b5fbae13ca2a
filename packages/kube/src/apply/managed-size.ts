import type { JsonObject, JsonValue } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { type FieldType, type ListType, type MapType, rootFieldType } from './field-type.js';
import { formOf, isList, isMap, memberOf } from './forms.js';

/** Bytes of an entry without its names and values: `"f:":{},`, `"k:{}":{},` and `"v:":{},`. */
const entryBytes = { field: 8, item: 10, member: 8 } as const;
/** Bytes of a key of a list item without name and value: escaped quotes and a colon. */
const keyBytes = 5;
/** Bytes of the escaped quotes of a string. */
const quoteBytes = 4;
/** Bytes of the mark that the item itself is owned: `".":{},`. */
const selfBytes = 7;

/**
 * Returns whether the managedFields of an object certainly need more than `bytesMax` bytes. Far cheaper than computing them, so that
 * a server can reject an object with an extreme number of list items before it does more work.
 */
export function exceedsManagedSize(object: JsonObject, schema: Schema, bytesMax: number): boolean {
  const size = new ManagedSize(bytesMax);
  size.add(object, rootFieldType(schema));
  return size.exceeded;
}

class ManagedSize {
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  get exceeded(): boolean {
    return this.#bytes > this.bytesMax;
  }

  add(value: JsonValue, type: FieldType): void {
    const form = formOf(type, value);
    if (form === 'map' && isMap(value)) this.#addMap(value, type.map as MapType);
    if (form === 'list' && isList(value)) this.#addList(value, type.list as ListType);
  }

  #addMap(value: JsonObject, map: MapType): void {
    if (map.atomic) return;
    for (const name of Object.keys(value)) {
      const child = value[name];
      if (child === undefined || this.exceeded) continue;
      this.#bytes += name.length + entryBytes.field;
      this.add(child, memberOf(map, name).type);
    }
  }

  #addList(items: readonly JsonValue[], { keys, element }: ListType): void {
    if (keys === undefined) return;
    for (const item of items) {
      if (this.exceeded) return;
      if (isMap(item)) this.#bytes += entryBytes.item + keysLength(item, keys) + selfBytes;
      else this.#bytes += entryBytes.member + scalarLength(item);
      this.add(item, element);
    }
  }
}

function keysLength(item: JsonObject, keys: readonly string[]): number {
  let length = 0;
  for (const key of keys) length += key.length + keyBytes + scalarLength(item[key]);
  return length;
}

function scalarLength(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length + quoteBytes;
  return typeof value === 'number' ? String(value).length : 1;
}
