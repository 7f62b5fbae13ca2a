import {
  canonicalQuantity,
  formatDuration,
  type MutableJson,
  type MutableJsonObject,
  normalizeMicroTime,
  normalizeTime,
  parseDuration,
} from '@slipway/kube';
import { isScalar } from './messages.js';
import type { SpecialForm } from './special.js';

interface Place {
  /** Full name of the innermost message. */
  readonly struct: string;
  readonly path: string;
}

/** A decoding error in Go's wording. */
export class Undecodable extends Error {
  constructor(found: string, goType: string, at: Place) {
    const struct = at.struct.slice(at.struct.lastIndexOf('.') + 1);
    super(`json: cannot unmarshal ${found} into Go struct field ${struct}.${at.path} of type ${goType}`);
    this.name = 'Undecodable';
  }

  static because(text: string): Undecodable {
    const error = new Undecodable('', '', { struct: '', path: '' });
    error.message = text;
    return error;
  }
}

export function describeJson(value: MutableJson): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'object';
    default:
      return 'number';
  }
}

export function goTypeOf(type: string): string {
  if (type === 'bytes') return '[]uint8';
  if (type === 'double') return 'float64';
  if (isScalar(type)) return type;
  return type.split('.').slice(-2).join('.');
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function decodeScalar(type: string, value: MutableJson, at: Place): MutableJson {
  switch (type) {
    case 'int32':
    case 'int64':
      return integer(type, value, at);
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return value;
      break;
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'bytes':
      return bytes(value, at);
    default:
      if (typeof value === 'string') return value;
  }
  throw new Undecodable(describeJson(value), goTypeOf(type), at);
}

function bytes(value: MutableJson, at: Place): string {
  if (typeof value !== 'string') throw new Undecodable(describeJson(value), '[]uint8', at);
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  if (!base64.test(text)) throw Undecodable.because(`illegal base64 data at input byte ${illegalByte(text)}`);
  return text;
}

function illegalByte(text: string): number {
  const bad = text.search(/[^A-Za-z0-9+/]/);
  if (bad < 0) return text.length - (text.length % 4);
  return bad;
}

const limits = { int32: [-(2n ** 31n), 2n ** 31n - 1n], int64: [-(2n ** 63n), 2n ** 63n - 1n] } as const;

function integer(type: 'int32' | 'int64', value: MutableJson, at: Place): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new Undecodable(describeJson(value), type, at);
  const [low, high] = limits[type];
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  if (!whole || BigInt(value) < low || BigInt(value) > high) throw new Undecodable(`number ${value}`, type, at);
  return value;
}

export function decodeSpecial(
  form: SpecialForm,
  type: string,
  value: MutableJson,
  at: Place,
  decodeSchema: (schema: MutableJsonObject) => void,
): MutableJson | undefined {
  switch (form) {
    case 'time':
    case 'micro-time':
      return time(form === 'micro-time', value);
    case 'duration':
      return duration(value);
    case 'quantity':
      return quantity(value);
    case 'int-or-string':
      if (typeof value === 'string') return value;
      return integer('int32', value, at);
    case 'raw-object':
      if (isObject(value)) return value;
      throw new Undecodable(describeJson(value), goTypeOf(type), at);
    case 'string-list':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
      throw new Undecodable(describeJson(value), goTypeOf(type), at);
    case 'raw-value':
      return value;
    default:
      return schemaOrOther(value, decodeSchema);
  }
}

function schemaOrOther(value: MutableJson, decodeSchema: (schema: MutableJsonObject) => void): MutableJson {
  if (isObject(value)) decodeSchema(value);
  else if (Array.isArray(value)) for (const item of value) if (isObject(item)) decodeSchema(item);
  return value;
}

function time(micro: boolean, value: MutableJson): string {
  if (typeof value !== 'string') {
    throw Undecodable.because(`json: cannot unmarshal ${describeJson(value)} into Go value of type string`);
  }
  return withGoMessage(() => (micro ? normalizeMicroTime(value) : normalizeTime(value)));
}

function duration(value: MutableJson): string {
  return withGoMessage(() => formatDuration(parseDuration(typeof value === 'string' ? value : describeJson(value))));
}

function quantity(value: MutableJson): string {
  const given =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
  return withGoMessage(() => canonicalQuantity(given.trim()));
}

/** Converts the plain error of a value parser, which has upstream's wording, to an Undecodable. */
function withGoMessage(parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    throw Undecodable.because((error as Error).message);
  }
}

function isObject(value: MutableJson | undefined): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
