import { deepEqual, type JsonArray, type JsonObject, type JsonValue } from '../../json/index.js';
import { isJsonArray, isJsonObject } from '../model/json-kind.js';
import { getOwn } from '../model/own-property.js';
import type { Schema } from '../schema.js';

/**
 * Finds the old item of a list item. Only items in lists of type map have one, which is found by key; for items of atomic and set
 * lists it returns undefined.
 */
export type ItemCorrelation = (item: JsonValue) => JsonValue | undefined;

const nothing: ItemCorrelation = () => undefined;

export function correlateItems(list: Schema, old: JsonValue | undefined): ItemCorrelation {
  const keys = list['x-kubernetes-list-map-keys'];
  if (list['x-kubernetes-list-type'] !== 'map' || keys === undefined || !isJsonArray(old)) return nothing;
  const byKey = indexItems(keys, old);
  return (item) => {
    const key = itemKey(keys, item);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function indexItems(keys: readonly string[], items: JsonArray): Map<string, JsonValue> {
  const byKey = new Map<string, JsonValue>();
  for (const item of items) {
    const key = itemKey(keys, item);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return byKey;
}

/** Returns all keys of an item as one string, or undefined if one is missing or not a scalar. */
function itemKey(keys: readonly string[], item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return undefined;
  let text = '';
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    text += typeof value === 'string' ? JSON.stringify(value) : String(value);
    text += ',';
  }
  return text;
}

/** Returns the old value of a property or map entry. */
export function correlateKey(old: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(old) ? getOwn(old, key) : undefined;
}

/**
 * Returns whether a value equals its old value. As in upstream's ratcheting, lists of type map are equal if their items are equal
 * in any order.
 */
export function isUnchanged(schema: Schema, value: JsonValue, old: JsonValue | undefined): boolean {
  if (value === old) return true;
  if (isJsonObject(value) && isJsonObject(old)) return objectUnchanged(schema, value, old);
  if (isJsonArray(value) && isJsonArray(old)) return listUnchanged(schema, value, old);
  return deepEqual(value, old);
}

function objectUnchanged(schema: Schema, value: JsonObject, old: JsonObject): boolean {
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const item = value[key];
    const oldItem = getOwn(old, key);
    if (item === undefined || oldItem === undefined) return item === oldItem;
    const child = childSchema(schema, key);
    return child === undefined ? deepEqual(item, oldItem) : isUnchanged(child, item, oldItem);
  });
}

function listUnchanged(schema: Schema, value: JsonArray, old: JsonArray): boolean {
  if (value.length !== old.length) return false;
  if (deepEqual(value, old)) return true;
  if (schema['x-kubernetes-list-type'] !== 'map' || schema.items === undefined) return false;
  const items = schema.items;
  const find = correlateItems(schema, old);
  return value.every((item) => {
    const oldItem = find(item);
    return oldItem !== undefined && isUnchanged(items, item, oldItem);
  });
}

function childSchema(schema: Schema, key: string): Schema | undefined {
  const property = schema.properties === undefined ? undefined : getOwn(schema.properties, key);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
