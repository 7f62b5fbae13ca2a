import { parseLooseDuration } from '../../text/duration.js';
import { tryParseDate, tryParseTimeNanos } from '../../text/time.js';
import type { JsonObject, JsonValue } from '../../json/index.js';
import type { Schema } from '../../schema/index.js';
import { escapePropertyName, unescapePropertyName } from './property-name.js';
import type { Value } from './value.js';
import { CelList, CelMap, Duration, Failure, Opaque, Timestamp } from './value.js';
import { work } from './work.js';
import { opaqueType } from '../types/index.js';

type Equality = (a: Value, b: Value) => boolean | Failure;

/** Converts JSON without a schema: whole numbers are int, others double. */
export function fromJson(json: JsonValue | undefined): Value {
  switch (typeof json) {
    case 'number':
      return Number.isInteger(json) ? BigInt(json) : json;
    case 'object':
      if (json === null) return null;
      return Array.isArray(json) ? new JsonList(json as readonly JsonValue[]) : new JsonMap(json as JsonObject);
    default:
      return json ?? null;
  }
}

/** Converts JSON with a schema, which determines the types. */
export function fromTypedJson(json: JsonValue | undefined, schema: Schema): Value {
  if (json === null || json === undefined) {
    return schema.nullable === true ? null : new Failure('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(json);
  switch (schema.type) {
    case 'object':
      return typedObject(json, schema);
    case 'array':
      return typedArray(json, schema);
    case 'string':
      return typeof json === 'string' ? typedText(json, schema) : unexpected('string', json);
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : unexpected('float', json);
    case 'integer':
      return typedInteger(json);
    case 'boolean':
      return typeof json === 'boolean' ? json : unexpected('bool', json);
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true
        ? new Unknown(json)
        : unexpected('a known type', json);
  }
}

function unexpected(expected: string, json: JsonValue): Failure {
  return new Failure(`invalid data, expected ${expected}, got ${Array.isArray(json) ? 'array' : typeof json}`);
}

function intOrString(json: JsonValue): Value {
  if (typeof json === 'string' || typeof json === 'bigint') return json;
  if (typeof json === 'number' && Number.isInteger(json)) return BigInt(json);
  return new Failure('invalid data, expected XIntOrString value to be either a string or integer');
}

function typedInteger(json: JsonValue): Value {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : unexpected('int', json);
}

function typedObject(json: JsonValue, schema: Schema): Value {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return new Failure('invalid data, expected a map for the provided schema with type=object');
  }
  return new JsonMap(
    json as JsonObject,
    schema['x-kubernetes-embedded-resource'] === true ? withObjectMeta(schema) : schema,
  );
}

function typedArray(json: JsonValue, schema: Schema): Value {
  if (!Array.isArray(json))
    return new Failure('invalid data, expected an array for the provided schema with type=array');
  if (schema.items === undefined) return new Failure('invalid array type, expected Items with a non-empty Schema');
  return new JsonList(json as readonly JsonValue[], schema);
}

function typedText(text: string, schema: Schema): Value {
  switch (schema.format) {
    case 'duration': {
      const parsed = parseLooseDuration(text);
      return parsed === undefined ? new Failure(`Invalid duration ${text}`) : new Duration(parsed);
    }
    case 'date': {
      const ms = tryParseDate(text);
      if (ms === undefined) return new Failure(`Invalid date formatted string ${text}`);
      return new Timestamp(BigInt(ms) * 1_000_000n);
    }
    case 'date-time': {
      // Upstream treats a time without a zone as UTC.
      const parsed = text === '' ? 0n : (tryParseTimeNanos(text) ?? tryParseTimeNanos(`${text}Z`));
      return parsed === undefined ? new Failure(`Invalid date-time formatted string ${text}`) : new Timestamp(parsed);
    }
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}

const OBJECT_META = new WeakMap<Schema, Schema>();
const TEXT: Schema = { type: 'string' };

/**
 * Returns the schema of a resource root, in which apiVersion, kind, metadata.name and metadata.generateName are always visible.
 */
export function withObjectMeta(schema: Schema): Schema {
  const known = OBJECT_META.get(schema);
  if (known !== undefined) return known;
  const metadata: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };
  const declared = schema.properties;
  const isDeclared =
    declared?.['kind']?.type === 'string' &&
    declared['apiVersion']?.type === 'string' &&
    declared['metadata']?.properties?.['name']?.type === 'string' &&
    declared['metadata'].properties['generateName']?.type === 'string';
  const widened = isDeclared
    ? schema
    : { ...schema, properties: { ...declared, kind: TEXT, apiVersion: TEXT, metadata } };
  OBJECT_META.set(schema, widened);
  return widened;
}

/** Preserved unknown data. It can only be compared. */
class Unknown extends Opaque {
  readonly type = opaqueType('unknown');

  constructor(readonly json: JsonValue) {
    super();
  }

  equals(other: Opaque): boolean {
    return other instanceof Unknown && jsonEqual(this.json, other.json);
  }
}

/** A JSON object. With a schema, only specified fields are visible, under their escaped names. */
export class JsonMap extends CelMap {
  constructor(
    readonly json: JsonObject,
    private readonly schema?: Schema,
  ) {
    super();
  }

  get isTyped(): boolean {
    return this.schema !== undefined;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return this.isTyped ? new Failure('no such overload') : undefined;
    if (this.schema === undefined) return Object.hasOwn(this.json, key) ? fromJson(this.json[key]) : undefined;
    const isObject = this.schema.properties !== undefined;
    const name = isObject ? unescapePropertyName(key) : key;
    if (name === undefined || !Object.hasOwn(this.json, name)) return undefined;
    const value = this.json[name];
    // For a nullable property, null means that the field is absent. In a map, null is a value.
    if (isObject && (value === null || value === undefined)) return undefined;
    const schema = this.propertySchema(name);
    return schema === undefined ? undefined : fromTypedJson(value, schema);
  }

  *keys(): Iterable<Value> {
    const isObject = this.schema?.properties !== undefined;
    for (const name of Object.keys(this.json)) {
      if (this.schema !== undefined && this.propertySchema(name) === undefined) continue;
      yield isObject ? (escapePropertyName(name) ?? name) : name;
    }
  }

  private propertySchema(name: string): Schema | undefined {
    const { properties, additionalProperties } = this.schema ?? {};
    if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }

  equalsTyped(other: CelMap, equal: Equality): boolean | Failure {
    for (const name of Object.keys(this.json)) {
      const schema = this.propertySchema(name);
      const same = schema === undefined ? this.sameUnknown(name, other) : this.sameKnown(name, other, equal);
      if (same !== true) return same;
    }
    return true;
  }

  private sameKnown(name: string, other: CelMap, equal: Equality): boolean | Failure {
    const key = this.schema?.properties === undefined ? name : (escapePropertyName(name) ?? name);
    const own = this.find(key);
    const theirs = other.find(key);
    if (own === undefined || theirs === undefined) return own === theirs;
    return equal(own, theirs);
  }

  private sameUnknown(name: string, other: CelMap): boolean | Failure {
    if (!(other instanceof JsonMap)) return new Failure('no such overload');
    if (!Object.hasOwn(other.json, name)) return true;
    return jsonEqual(this.json[name] ?? null, other.json[name] ?? null);
  }
}

/** A JSON array. With a schema, its list type determines `==` and `+`. */
export class JsonList extends CelList {
  constructor(
    readonly items: readonly JsonValue[],
    private readonly schema?: Schema,
  ) {
    super();
  }

  get isTyped(): boolean {
    return this.schema !== undefined;
  }

  get isUnordered(): boolean {
    const type = this.schema?.['x-kubernetes-list-type'];
    return type === 'set' || type === 'map';
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    const items = this.schema?.items;
    return items === undefined ? fromJson(this.items[index]) : fromTypedJson(this.items[index], items);
  }

  equalsUnordered(other: CelList, equal: Equality): boolean | Failure {
    const own = new Map(this.items.map((item, index) => [this.keyOf(item), index]));
    for (let index = 0; index < other.size; index += 1) {
      const item = other.at(index);
      const found = own.get(this.keyOf(rawJson(other, index, item)));
      if (found === undefined) return false;
      if (this.schema?.['x-kubernetes-list-type'] === 'set') continue;
      const same = equal(this.at(found), item);
      if (same !== true) return same;
    }
    return true;
  }

  /** Implements `+`: a set drops duplicates, and a map list replaces items with the same keys in place. */
  merge(other: JsonList): JsonList {
    if (!this.isUnordered) return new JsonList([...this.items, ...other.items], this.schema);
    const merged = [...this.items];
    const positions = new Map(this.items.map((item, index) => [this.keyOf(item), index]));
    const isSet = this.schema?.['x-kubernetes-list-type'] === 'set';
    for (const item of other.items) {
      const key = this.keyOf(item);
      const position = positions.get(key);
      if (position === undefined) merged.push(item);
      else if (!isSet) merged[position] = item;
      if (isSet) positions.set(key, merged.length - 1);
    }
    return new JsonList(merged, this.schema);
  }

  private keyOf(item: JsonValue): string {
    work(1);
    const keys = this.schema?.['x-kubernetes-list-map-keys'];
    const isMap = this.schema?.['x-kubernetes-list-type'] === 'map';
    if (!isMap || keys === undefined) return scalarKey(item);
    const object = typeof item === 'object' && item !== null ? (item as JsonObject) : {};
    return keys.map((key) => scalarKey(Object.hasOwn(object, key) ? object[key] : undefined)).join('\0');
  }
}

/** Returns the JSON of a list's element. Elements of list literals have no JSON, and scalars are their own. */
function rawJson(list: CelList, index: number, item: Value): JsonValue {
  if (list instanceof JsonList) return list.items[index] ?? null;
  if (item instanceof JsonMap) return item.json;
  const isScalar = item === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof item);
  return isScalar ? (item as JsonValue) : {};
}

function scalarKey(json: JsonValue | undefined): string {
  const value = typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : json;
  return `${typeof value}:${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}

function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  work(1);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // A bigint and a number with the same value are the same integer.
    const numbers =
      (typeof a === 'bigint' || typeof a === 'number') && (typeof b === 'bigint' || typeof b === 'number');
    return numbers && String(a) === String(b);
  }
  if (Array.isArray(a) || Array.isArray(b)) return sameArrays(a, b);
  const left = a as JsonObject;
  const right = b as JsonObject;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]));
}

function sameArrays(a: JsonValue, b: JsonValue): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item: JsonValue, index) => jsonEqual(item, b[index] as JsonValue));
}
