import type { JsonObject, JsonValue } from '../../json/index.js';
import type { Schema } from '../../schema/index.js';

export function asObject(json: JsonValue | undefined): JsonObject | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined;
}

export function asArray(json: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(json) ? (json as readonly JsonValue[]) : undefined;
}

/**
 * Returns a function that finds the old item of an item in a list of type map, by its keys. Items of other lists have no old
 * item.
 */
export function itemFinder(schema: Schema, old: JsonValue | undefined): (item: JsonValue) => JsonValue | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const items = asArray(old);
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || keys.length === 0 || items === undefined)
    return () => undefined;
  let byKey: Map<string, JsonValue> | undefined;
  return (item) => {
    byKey ??= indexItems(items, keys);
    const key = compositeKey(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function indexItems(items: readonly JsonValue[], keys: readonly string[]): Map<string, JsonValue> {
  const byKey = new Map<string, JsonValue>();
  for (const item of items) {
    const key = compositeKey(item, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return byKey;
}

function compositeKey(item: JsonValue, keys: readonly string[]): string | undefined {
  const object = asObject(item);
  if (object === undefined) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    parts.push(`${typeof value === 'string' ? 's' : 'v'}${String(value)}`);
  }
  return parts.join('\0');
}

/**
 * A new value and the old value at the same place. Errors of an unchanged value do not fail an update. For a value without a
 * corresponding old value, the nearest ancestor that has one decides.
 */
export class Correlation {
  private equalTo: boolean | undefined;
  private finder: ((item: JsonValue) => JsonValue | undefined) | undefined;

  constructor(
    private readonly value: JsonValue,
    private readonly old: JsonValue,
    private readonly schema: Schema,
  ) {}

  /**
   * Returns whether the value is unchanged. Items of map lists are compared by key, in any order. A field that is not in the
   * schema counts as changed.
   */
  isUnchanged(): boolean {
    this.equalTo ??= this.compare();
    return this.equalTo;
  }

  private compare(): boolean {
    const items = asArray(this.value);
    const oldItems = asArray(this.old);
    if (items !== undefined && oldItems !== undefined)
      return items.length === oldItems.length && this.compareItems(items, oldItems);
    const object = asObject(this.value);
    const oldObject = asObject(this.old);
    if (object === undefined || oldObject === undefined) return sameScalar(this.value, this.old);
    const names = Object.keys(object);
    if (names.length !== Object.keys(oldObject).length) return false;
    return names.every((name) => this.property(name)?.isUnchanged() ?? false);
  }

  private compareItems(items: readonly JsonValue[], oldItems: readonly JsonValue[]): boolean {
    if (this.schema['x-kubernetes-list-type'] === 'map') {
      return items.every((_item, index) => this.item(index)?.isUnchanged() ?? false);
    }
    return sameJson(items, oldItems);
  }

  property(name: string): Correlation | undefined {
    const value = ownValue(this.value, name);
    const old = ownValue(this.old, name);
    const schema = childSchema(this.schema, name);
    return value === undefined || old === undefined || schema === undefined
      ? undefined
      : new Correlation(value, old, schema);
  }

  item(index: number): Correlation | undefined {
    const value = asArray(this.value)?.[index];
    this.finder ??= itemFinder(this.schema, this.old);
    const old = value === undefined ? undefined : this.finder(value);
    const { items } = this.schema;
    return value === undefined || old === undefined || items === undefined
      ? undefined
      : new Correlation(value, old, items);
  }
}

export function ownValue(json: JsonValue | undefined, name: string): JsonValue | undefined {
  const object = asObject(json);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

function childSchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The ratcheting state during the walk. */
export interface Ratchet {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

export const noRatchet: Ratchet = { current: undefined, nearest: undefined };

export function isRatcheted(ratchet: Ratchet): boolean {
  return (ratchet.current ?? ratchet.nearest)?.isUnchanged() ?? false;
}

export function ratchetProperty(ratchet: Ratchet, name: string): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  // Never treat apiVersion and kind at the root as unchanged: both objects were converted to one version, so these fields do not
  // show what was stored.
  if (ratchet.nearest === undefined && (name === 'apiVersion' || name === 'kind')) return noRatchet;
  return { current: ratchet.current.property(name), nearest: ratchet.current };
}

export function ratchetItem(ratchet: Ratchet, index: number): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  return { current: ratchet.current.item(index), nearest: ratchet.current };
}

function sameScalar(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  // The same integer may be a bigint in one object and a number in the other.
  const areNumbers =
    (typeof a === 'bigint' || typeof a === 'number') && (typeof b === 'bigint' || typeof b === 'number');
  return areNumbers && String(a) === String(b);
}

function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const items = asArray(a);
  const oldItems = asArray(b);
  if (items !== undefined && oldItems !== undefined) {
    return items.length === oldItems.length && items.every((item, index) => sameJson(item, oldItems[index]));
  }
  const object = asObject(a);
  const oldObject = asObject(b);
  if (object === undefined || oldObject === undefined) return sameScalar(a, b);
  const names = Object.keys(object);
  if (names.length !== Object.keys(oldObject).length) return false;
  return names.every((name) => Object.hasOwn(oldObject, name) && sameJson(object[name], oldObject[name]));
}
