import type { JsonArray, JsonObject, JsonValue } from '../../json/index.js';
import { isJsonArray, isJsonObject } from '../model/json-kind.js';
import { planOf } from '../model/plan.js';
import type { Schema } from '../schema.js';
import { depthMax } from '../validation/walker.js';

export interface DecodedKind {
  readonly kind: string;
  readonly version: string;
}

/**
 * Why a value cannot be an object of a built-in kind: upstream decodes those into Go structs, and the first misfit is a
 * 400 with the decoder's sentence. Undefined when everything fits. Null fits everywhere.
 */
export function findDecodeError(schema: Schema, value: JsonValue, decoded: DecodedKind): string | undefined {
  const problem = visit({ schema, value, fields: '', struct: decoded.kind, depth: 0 });
  if (problem === undefined) return undefined;
  return `${decoded.kind} in version "${decoded.version}" cannot be handled as a ${decoded.kind}: ${problem}`;
}

interface Place {
  readonly schema: Schema;
  readonly value: JsonValue;
  /** JSON names of the struct fields passed so far; keys of maps and indexes of lists do not count. */
  readonly fields: string;
  /** The innermost Go struct. */
  readonly struct: string;
  readonly depth: number;
}

function visit(place: Place): string | undefined {
  const { schema, value } = place;
  if (value === null) return undefined;
  if (place.depth > depthMax) return 'exceeded max depth';
  if (schema['x-kubernetes-int-or-string'] === true) {
    return typeof value === 'string' || isInteger(value) ? undefined : mismatch(place, 'intstr.IntOrString');
  }
  if (schema.type === 'object' && isJsonObject(value)) return visitObject(place, value);
  if (schema.type === 'array' && isJsonArray(value)) return visitList(place, value);
  return visitScalar(place);
}

function visitScalar(place: Place): string | undefined {
  const { schema, value } = place;
  switch (schema.type) {
    case undefined:
      return undefined;
    case 'string':
      return typeof value === 'string' ? checkText(schema, value) : mismatch(place, goType(schema));
    case 'integer':
      return checkInteger(place);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? undefined : mismatch(place, 'float64');
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch(place, 'bool');
    default:
      return mismatch(place, goType(schema));
  }
}

function visitObject(place: Place, value: JsonObject): string | undefined {
  const plan = planOf(place.schema);
  const struct = structName(place.schema) ?? place.struct;
  for (const key in value) {
    const item = value[key];
    if (item === undefined) continue;
    const property = plan.propertyByName.get(key);
    const schema = property?.schema ?? plan.additional;
    if (schema === undefined) continue;
    const fields = property === undefined ? place.fields : `${place.fields}.${key}`;
    const problem = visit({ schema, value: item, fields, struct, depth: place.depth + 1 });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function visitList(place: Place, value: JsonArray): string | undefined {
  const { items } = place.schema;
  if (items === undefined) return undefined;
  for (const item of value) {
    const problem = visit({ ...place, schema: items, value: item, depth: place.depth + 1 });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const int32Max = 2 ** 31 - 1;
const int32Min = -(2 ** 31);

function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function checkInteger(place: Place): string | undefined {
  const { schema, value } = place;
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatch(place, goType(schema));
  const fits = isInteger(value) && (schema.format !== 'int32' || (value <= int32Max && value >= int32Min));
  return fits ? undefined : mismatch(place, goType(schema), `number ${String(value)}`);
}

function checkText(schema: Schema, value: string): string | undefined {
  if (schema.format !== 'byte') return undefined;
  const index = illegalBase64Index(value);
  return index === undefined ? undefined : `illegal base64 data at input byte ${index}`;
}

const base64Symbol = /[A-Za-z0-9+/]/;

/** The first byte that cannot stand where it stands, as Go's decoder counts; an incomplete group counts from its start. */
function illegalBase64Index(text: string): number | undefined {
  let inGroup = 0;
  let groupStart = 0;
  for (let index = 0; index < text.length; index += 1) {
    const symbol = text[index] ?? '';
    if (symbol === '\n' || symbol === '\r') continue;
    if (symbol === '=') return illegalPaddingIndex(text, index, inGroup);
    if (!base64Symbol.test(symbol)) return index;
    if (inGroup === 0) groupStart = index;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : groupStart;
}

function illegalPaddingIndex(text: string, index: number, inGroup: number): number | undefined {
  if (inGroup < 2) return index;
  const second = skipLineBreaks(text, index + 1);
  if (inGroup === 2 && second >= text.length) return text.length;
  if (inGroup === 2 && text[second] !== '=') return second - 1;
  const end = skipLineBreaks(text, inGroup === 2 ? second + 1 : index + 1);
  return end < text.length ? end : undefined;
}

function skipLineBreaks(text: string, from: number): number {
  let index = from;
  while (text[index] === '\n' || text[index] === '\r') index += 1;
  return index;
}

function mismatch(place: Place, type: string, found = describe(place.value)): string {
  // Without a field the value as a whole is wrong, and Go names no struct.
  const target = place.fields === '' ? 'Go value' : `Go struct field ${place.struct}${place.fields}`;
  return `json: cannot unmarshal ${found} into ${target} of type ${type}`;
}

function describe(value: JsonValue): string {
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** `io.k8s.api.apps.v1.DeploymentSpec` is DeploymentSpec of package v1. */
function structName(schema: Schema): string | undefined {
  return schema.refName?.split('.').at(-1);
}

function goType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : 'string';
    case 'integer':
      return schema.format === 'int64' ? 'int64' : 'int32';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'array':
      return `[]${schema.items === undefined ? 'interface {}' : goType(schema.items)}`;
    default:
      return goObjectType(schema);
  }
}

function goObjectType(schema: Schema): string {
  if (schema.refName !== undefined) return schema.refName.split('.').slice(-2).join('.');
  if (typeof schema.additionalProperties === 'object') return `map[string]${goType(schema.additionalProperties)}`;
  return 'map[string]interface {}';
}
