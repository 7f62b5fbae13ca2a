import { type JsonObject, type JsonValue, parseDuration, stringifyJson } from '@slipway/kube';
import {
  isScalar,
  type MessageField,
  messageType,
  schemaPropsMessage,
  type SpecialForm,
  specialForm,
} from '../../kinds/types/index.js';
import { WireWriter } from './wire-writer.js';

type WriteValue = (writer: WireWriter, number: number, value: JsonValue) => void;

/** A field of a message, prepared for encoding. */
interface FieldPlan {
  readonly name: string;
  readonly number: number;
  readonly shape: MessageField['shape'] | 'inline';
  readonly write: WriteValue;
}

const plans = new Map<string, readonly FieldPlan[]>();
// Encoding is synchronous, so all calls share one writer.
const shared = new WireWriter();

export function encodeMessage(message: string, object: JsonObject): Buffer {
  shared.clear();
  writeMessage(shared, message, object);
  return shared.finish();
}

export function writeMessage(writer: WireWriter, message: string, object: JsonObject): void {
  for (const field of planOf(message)) {
    if (field.shape === 'inline') {
      const before = writer.mark;
      field.write(writer, field.number, object);
      if (writer.mark > before) writer.close(field.number, before);
      continue;
    }
    const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    if (value !== undefined && value !== null) writeField(writer, field, value);
  }
}

function writeField(writer: WireWriter, field: FieldPlan, value: JsonValue): void {
  if (field.shape === 'singular') field.write(writer, field.number, value);
  else if (field.shape === 'repeated') {
    const items = value as readonly JsonValue[];
    for (let index = items.length - 1; index >= 0; index -= 1)
      field.write(writer, field.number, items[index] as JsonValue);
  } else {
    const map = value as JsonObject;
    for (const key of Object.keys(map).sort().reverse()) {
      const before = writer.mark;
      field.write(writer, 2, map[key] ?? null);
      writer.string(1, key);
      writer.close(field.number, before);
    }
  }
}

/** Returns the fields of a message in reverse order, because the writer works backwards. */
function planOf(message: string): readonly FieldPlan[] {
  const cached = plans.get(message);
  if (cached !== undefined) return cached;
  const plan = messageType(message)
    .fields.map((field) => fieldPlan(field))
    .sort((left, right) => right.number - left.number);
  plans.set(message, plan);
  return plan;
}

function fieldPlan(field: MessageField): FieldPlan {
  const { name, number, shape, type } = field;
  if (!field.inline) return { name, number, shape, write: valueWriter(type) };
  return { name, number, shape: 'inline', write: (writer, _, object) => writeMessage(writer, type, asObject(object)) };
}

function valueWriter(type: string): WriteValue {
  if (isScalar(type)) return scalarWriters[type] ?? writeInteger;
  const form = specialForm(type);
  if (form === undefined)
    return (writer, number, value) => {
      const before = writer.mark;
      writeMessage(writer, type, asObject(value));
      writer.close(number, before);
    };
  const write = specialWriters[form];
  return (writer, number, value) => {
    const before = writer.mark;
    write(writer, value);
    writer.close(number, before);
  };
}

const scalarWriters: Readonly<Record<string, WriteValue>> = {
  string: (writer, number, value) => writer.string(number, textOf(value)),
  bytes: (writer, number, value) => writer.bytes(number, Buffer.from(textOf(value), 'base64')),
  double: (writer, number, value) => writer.double(number, Number(value)),
  bool: (writer, number, value) => writer.integer(number, value === true ? 1 : 0),
};

function writeInteger(writer: WireWriter, number: number, value: JsonValue): void {
  writer.integer(number, value as number | bigint);
}

const specialWriters: Readonly<Record<SpecialForm, (writer: WireWriter, value: JsonValue) => void>> = {
  time: writeTime,
  'micro-time': writeTime,
  duration: (writer, value) => writer.integer(1, parseDuration(textOf(value))),
  quantity: (writer, value) => writer.string(1, textOf(value)),
  'int-or-string': writeIntOrString,
  'raw-object': writeRaw,
  'raw-value': writeRaw,
  'string-list': (writer, value) => {
    for (const item of [...(value as readonly string[])].reverse()) writer.string(1, item);
  },
  'schema-or-array': writeSchemaOrArray,
  'schema-or-bool': writeSchemaOrBool,
  'schema-or-strings': writeSchemaOrStrings,
};

function writeTime(writer: WireWriter, value: JsonValue): void {
  if (typeof value !== 'string') return;
  const dot = value.indexOf('.');
  const fraction = dot < 0 ? '' : (/^\d+/.exec(value.slice(dot + 1))?.[0] ?? '');
  writer.integer(2, fraction === '' ? 0 : Number(fraction.padEnd(9, '0').slice(0, 9)));
  writer.integer(1, Math.floor(Date.parse(value) / 1000));
}

function writeIntOrString(writer: WireWriter, value: JsonValue): void {
  const text = typeof value === 'string';
  writer.string(3, text ? value : '');
  writer.integer(2, text ? 0 : (value as number | bigint));
  writer.integer(1, text ? 1 : 0);
}

function writeRaw(writer: WireWriter, value: JsonValue): void {
  writer.string(1, stringifyJson(value));
}

function writeSchema(writer: WireWriter, number: number, schema: JsonValue): void {
  const before = writer.mark;
  writeMessage(writer, schemaPropsMessage, asObject(schema));
  writer.close(number, before);
}

function writeSchemaOrArray(writer: WireWriter, value: JsonValue): void {
  if (!Array.isArray(value)) writeSchema(writer, 1, value);
  else for (const item of [...(value as readonly JsonValue[])].reverse()) writeSchema(writer, 2, item);
}

function writeSchemaOrBool(writer: WireWriter, value: JsonValue): void {
  if (typeof value !== 'boolean') writeSchema(writer, 2, value);
  writer.integer(1, value === false ? 0 : 1);
}

function writeSchemaOrStrings(writer: WireWriter, value: JsonValue): void {
  if (!Array.isArray(value)) writeSchema(writer, 1, value);
  else for (const item of [...(value as readonly JsonValue[])].reverse()) writer.string(2, textOf(item));
}

function asObject(value: JsonValue): JsonObject {
  return value as JsonObject;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
