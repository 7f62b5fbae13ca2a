import { tryParseDuration } from '../../text/duration.js';
import { formatGoFloat } from '../../text/go-format.js';
import { tryParseTimeNanos } from '../../text/time.js';
import type { CelType } from '../types/index.js';
import { typeString } from '../types/index.js';
import type { Value } from '../values/index.js';
import {
  Duration,
  Failure,
  fitsInt64,
  formatDurationSeconds,
  formatTimestamp,
  NANOS_PER_SECOND,
  splitSeconds,
  Timestamp,
  timestampOf,
  TypeValue,
  Uint,
} from '../values/index.js';
import { intOf, uintOf } from './arithmetic.js';
import { runtimeType } from './function.js';

function conversionError(value: Value, to: string): Failure {
  return new Failure(`type conversion error from '${typeString(bare(runtimeType(value)))}' to '${to}'`);
}

function bare(type: CelType): CelType {
  return { ...type, parameters: [] };
}

export function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return intOf(value.value);
  if (typeof value === 'number') return doubleToInt(value);
  if (value instanceof Duration) return value.nanoseconds;
  if (value instanceof Timestamp) return splitSeconds(value.nanoseconds).seconds;
  if (typeof value !== 'string' || !/^[+-]?0*\d{1,20}$/.test(value)) return conversionError(value, 'int');
  const parsed = BigInt(value.replace(/^\+/, ''));
  return fitsInt64(parsed) ? parsed : conversionError(value, 'int');
}

function doubleToInt(value: number): Value {
  // Upstream excludes both ends: a double cannot distinguish the last integer from the next one.
  const inRange = value > -(2 ** 63) && value < 2 ** 63;
  return inRange ? BigInt(Math.trunc(value)) : new Failure('integer overflow');
}

export function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return uintOf(value);
  if (typeof value === 'number') {
    const inRange = value >= 0 && value < 2 ** 64;
    return inRange ? uintOf(BigInt(Math.trunc(value))) : new Failure('unsigned integer overflow');
  }
  if (typeof value !== 'string' || !/^0*\d{1,20}$/.test(value)) return conversionError(value, 'uint');
  const parsed = uintOf(BigInt(value));
  return parsed instanceof Failure ? conversionError(value, 'uint') : parsed;
}

export function toDouble(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return conversionError(value, 'double');
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(value);
  if (special !== null) {
    const isNan = special[2]?.toLowerCase() === 'nan';
    return isNan ? Number.NaN : special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const isNumber = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value);
  const parsed = Number(value);
  return isNumber && Number.isFinite(parsed) ? parsed : conversionError(value, 'double');
}

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true;
    if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) return false;
  }
  return conversionError(value, 'bool');
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? new TextEncoder().encode(value) : conversionError(value, 'bytes');
}

export function toText(value: Value): Value {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return formatGoFloat(value);
    default:
      return objectText(value);
  }
}

function objectText(value: Value): Value {
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Duration) return formatDurationSeconds(value.nanoseconds);
  if (value instanceof Timestamp) return formatTimestamp(value.nanoseconds);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value).toString('utf8');
    const isText = Buffer.compare(Buffer.from(text, 'utf8'), value) === 0;
    return isText ? text : new Failure('invalid UTF-8 in bytes, cannot convert to string');
  }
  return conversionError(value, 'string');
}

export function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  const parsed = typeof value === 'string' ? tryParseDuration(value) : undefined;
  return parsed === undefined ? conversionError(value, 'google.protobuf.Duration') : new Duration(parsed);
}

export function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return timestampOf(value * NANOS_PER_SECOND);
  const parsed = typeof value === 'string' ? tryParseTimeNanos(value) : undefined;
  return parsed === undefined ? conversionError(value, 'google.protobuf.Timestamp') : timestampOf(parsed);
}

export function toType(value: Value): TypeValue {
  return new TypeValue(bare(runtimeType(value)));
}
