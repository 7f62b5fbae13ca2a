import { type JsonObject, type JsonValue, parseDuration } from '@slipway/kube';
import {
  isScalar,
  type MessageField,
  messageOfKind,
  messageType,
  schemaPropsMessage,
  type SpecialForm,
  specialForm,
} from '../builtins/types/index.js';
import { magic } from './envelope.js';
import { WireWriter } from './wire-writer.js';

/** The protobuf body for an object or list of a built-in kind; undefined for kinds that have no protobuf form. */
export function encodeProtobuf(object: JsonObject): Buffer | undefined {
  const apiVersion = textOf(object.apiVersion);
  const kind = textOf(object.kind);
  const slash = apiVersion.indexOf('/');
  const message = messageOfKind(slash < 0 ? '' : apiVersion.slice(0, slash), apiVersion.slice(slash + 1), kind);
  if (message === undefined) return undefined;
  const typeMeta = new WireWriter();
  typeMeta.string(1, apiVersion);
  typeMeta.string(2, kind);
  const unknown = new WireWriter();
  unknown.bytes(1, typeMeta.finish());
  unknown.bytes(2, encodeMessage(message, object));
  unknown.string(3, '');
  unknown.string(4, '');
  return Buffer.concat([magic, unknown.finish()]);
}

/** One event of a protobuf watch: a length, then the event with the enveloped object inside. */
export function encodeWatchFrame(type: string, object: JsonObject): Buffer | undefined {
  const body = encodeProtobuf(object);
  if (body === undefined) return undefined;
  const raw = new WireWriter();
  raw.bytes(1, body);
  const event = new WireWriter();
  event.string(1, type);
  event.bytes(2, raw.finish());
  const payload = event.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
}

function encodeMessage(message: string, object: JsonObject): Buffer {
  const writer = new WireWriter();
  for (const field of messageType(message).fields) {
    if (field.inline) {
      const inner = encodeMessage(field.type, object);
      if (inner.length > 0) writer.bytes(field.number, inner);
      continue;
    }
    const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    if (value !== undefined && value !== null) encodeField(writer, field, value);
  }
  return writer.finish();
}

function encodeField(writer: WireWriter, field: MessageField, value: JsonValue): void {
  if (field.shape === 'singular') encodeValue(writer, field.number, field.type, value);
  else if (field.shape === 'repeated') {
    for (const item of value as readonly JsonValue[]) encodeValue(writer, field.number, field.type, item);
  } else {
    const map = value as JsonObject;
    for (const key of Object.keys(map).sort()) {
      const entry = new WireWriter();
      entry.string(1, key);
      encodeValue(entry, 2, field.type, map[key] ?? null);
      writer.bytes(field.number, entry.finish());
    }
  }
}

function encodeValue(writer: WireWriter, number: number, type: string, value: JsonValue): void {
  if (isScalar(type)) {
    encodeScalar(writer, number, type, value);
    return;
  }
  const form = specialForm(type);
  writer.bytes(number, form === undefined ? encodeMessage(type, value as JsonObject) : encodeSpecial(form, value));
}

function encodeScalar(writer: WireWriter, number: number, type: string, value: JsonValue): void {
  switch (type) {
    case 'string':
      writer.string(number, textOf(value));
      break;
    case 'bytes':
      writer.bytes(number, Buffer.from(textOf(value), 'base64'));
      break;
    case 'double':
      writer.double(number, Number(value));
      break;
    case 'bool':
      writer.integer(number, value === true ? 1n : 0n);
      break;
    default:
      writer.integer(number, BigInt(value as number | bigint));
  }
}

function encodeSpecial(form: SpecialForm, value: JsonValue): Buffer {
  const writer = new WireWriter();
  switch (form) {
    case 'time':
    case 'micro-time':
      encodeTime(writer, value);
      break;
    case 'duration':
      writer.integer(1, parseDuration(textOf(value)));
      break;
    case 'quantity':
      writer.string(1, textOf(value));
      break;
    case 'int-or-string':
      encodeIntOrString(writer, value);
      break;
    case 'raw-object':
    case 'raw-value':
      writer.string(1, stringify(value));
      break;
    case 'string-list':
      for (const item of value as readonly string[]) writer.string(1, item);
      break;
    default:
      encodeSchemaOr(writer, form, value);
  }
  return writer.finish();
}

function encodeTime(writer: WireWriter, value: JsonValue): void {
  if (typeof value !== 'string') return;
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  writer.integer(1, BigInt(Math.floor(Date.parse(value) / 1000)));
  writer.integer(2, BigInt(fraction.padEnd(9, '0').slice(0, 9)));
}

function encodeIntOrString(writer: WireWriter, value: JsonValue): void {
  const text = typeof value === 'string';
  writer.integer(1, text ? 1n : 0n);
  writer.integer(2, text ? 0n : BigInt(value as number | bigint));
  writer.string(3, text ? value : '');
}

function encodeSchemaOr(writer: WireWriter, form: SpecialForm, value: JsonValue): void {
  const schemaField = form === 'schema-or-bool' ? 2 : 1;
  if (typeof value === 'boolean') writer.integer(1, value ? 1n : 0n);
  else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (form === 'schema-or-strings') writer.string(2, textOf(item));
      else writer.bytes(2, encodeMessage(schemaPropsMessage, item as JsonObject));
    }
  } else {
    if (form === 'schema-or-bool') writer.integer(1, 1n);
    writer.bytes(schemaField, encodeMessage(schemaPropsMessage, value as JsonObject));
  }
}

/** Bigints are integers that a double cannot hold; they are written digit for digit. */
function stringify(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => stringify(item)).join(',')}]`;
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stringify(item ?? null)}`).join(',')}}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
