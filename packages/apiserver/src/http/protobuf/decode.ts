import type { MutableJson, MutableJsonObject } from '@slipway/kube';
import {
  isScalar,
  type MessageField,
  type MessageType,
  messageOfKind,
  messageType,
  schemaPropsMessage,
  specialForm,
} from '../../kinds/types/index.js';
import { decodeSpecialMessage, type NestedDecoders } from './decode-special.js';
import { parseEmbeddedJson } from './embedded-json.js';
import { magic, protobufMediaType } from './envelope.js';
import { malformed, signed, WireReader } from './wire-reader.js';

export interface DecodedProtobuf {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object as upstream would print it in JSON, including apiVersion and kind. */
  readonly object: MutableJsonObject;
}

const depthMax = 128;

/** Decodes an `application/vnd.kubernetes.protobuf` body. Throws 400 if it is malformed. */
export function decodeProtobuf(bytes: Uint8Array): DecodedProtobuf {
  return decodeEnvelope(asBuffer(bytes), 0);
}

/** Decodes one frame of a protobuf watch, including its length prefix, into event type and object. */
export function decodeWatchFrame(bytes: Uint8Array): { readonly type: string; readonly object: Buffer } {
  const reader = new WireReader(asBuffer(bytes), 4);
  let type = '';
  let object: Buffer = Buffer.alloc(0);
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire === 2 && number === 1) type = reader.string();
    else if (wire === 2 && number === 2) object = readRaw(reader.message());
    else reader.skip(wire);
  }
  return { type, object };
}

function readRaw(reader: WireReader): Buffer {
  let raw: Buffer = Buffer.alloc(0);
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire === 2 && number === 1) raw = reader.binary();
    else reader.skip(wire);
  }
  return raw;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeEnvelope(buffer: Buffer, depth: number): DecodedProtobuf {
  if (buffer.length === 0) throw malformed('empty data');
  if (!startsWithMagic(buffer)) {
    throw malformed('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = readUnknown(new WireReader(buffer, magic.length));
  const { apiVersion, kind } = envelope;
  if (envelope.contentType === 'application/json') return fromJson(envelope.raw, apiVersion, kind);
  if (envelope.contentEncoding !== '')
    throw malformed(`content encoding ${JSON.stringify(envelope.contentEncoding)} is not supported`);
  if (envelope.contentType !== '' && envelope.contentType !== protobufMediaType) {
    throw malformed(`content type ${JSON.stringify(envelope.contentType)} is not supported`);
  }
  const message = findMessage(apiVersion, kind);
  const object: MutableJsonObject = { kind, apiVersion };
  Object.assign(object, decodeMessage(messageType(message), new WireReader(envelope.raw), depth));
  return { apiVersion, kind, object };
}

function startsWithMagic(buffer: Buffer): boolean {
  return buffer.length >= magic.length && buffer.compare(magic, 0, magic.length, 0, magic.length) === 0;
}

function fromJson(raw: Buffer, apiVersion: string, kind: string): DecodedProtobuf {
  const value = parseEmbeddedJson(raw);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('the object is not a JSON object');
  const object = { kind, apiVersion, ...value };
  return { apiVersion: String(object.apiVersion), kind: String(object.kind), object };
}

function findMessage(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const message = messageOfKind(group, apiVersion.slice(slash + 1), kind);
  if (kind === '' || apiVersion === '') throw malformed("Object 'Kind' or 'apiVersion' is missing");
  if (message === undefined) {
    throw malformed(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  return message;
}

interface Unknown {
  apiVersion: string;
  kind: string;
  raw: Buffer;
  contentEncoding: string;
  contentType: string;
}

function readUnknown(reader: WireReader): Unknown {
  const unknown: Unknown = { apiVersion: '', kind: '', raw: Buffer.alloc(0), contentEncoding: '', contentType: '' };
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire !== 2) reader.skip(wire);
    else if (number === 1) readTypeMeta(reader.message(), unknown);
    else if (number === 2) unknown.raw = reader.binary();
    else if (number === 3) unknown.contentEncoding = reader.string();
    else if (number === 4) unknown.contentType = reader.string();
    else reader.skip(wire);
  }
  return unknown;
}

function readTypeMeta(reader: WireReader, unknown: Unknown): void {
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire === 2 && number === 1) unknown.apiVersion = reader.string();
    else if (wire === 2 && number === 2) unknown.kind = reader.string();
    else reader.skip(wire);
  }
}

function decodeMessage(type: MessageType, reader: WireReader, depth: number): MutableJsonObject {
  if (depth > depthMax) throw malformed('message is nested too deeply');
  const object: MutableJsonObject = {};
  while (!reader.done) {
    const { number, wire } = reader.key();
    const field = type.byNumber.get(number);
    if (field === undefined) reader.skip(wire);
    else if (field.shape === 'repeated') decodeRepeated(object, field, reader, wire, depth);
    else if (field.shape === 'map') decodeMapEntry(object, field, reader, wire, depth);
    else decodeSingular(object, field, reader, wire, depth);
  }
  return object;
}

function decodeSingular(
  object: MutableJsonObject,
  field: MessageField,
  reader: WireReader,
  wire: number,
  depth: number,
): void {
  const value = decodeValue(field, reader, wire, depth);
  if (field.inline) {
    Object.assign(object, value);
    return;
  }
  if (value === undefined || isOmitted(field, value)) delete object[field.name];
  else object[field.name] = value;
}

/**
 * Whether JSON omits the value. Go writes zero values of non-pointer fields to the wire, but JSON omits those marked omitempty.
 * Pointer fields keep zero values.
 */
function isOmitted(field: MessageField, value: MutableJson): boolean {
  if (field.pointer || !field.omitEmpty) return false;
  return value === '' || value === 0 || value === false;
}

function decodeRepeated(
  object: MutableJsonObject,
  field: MessageField,
  reader: WireReader,
  wire: number,
  depth: number,
): void {
  const list = (object[field.name] ??= []) as MutableJson[];
  const packed = wire === 2 && (field.type === 'int32' || field.type === 'int64' || field.type === 'bool');
  if (!packed) {
    list.push(decodeValue(field, reader, wire, depth) ?? null);
    return;
  }
  const inner = reader.message();
  while (!inner.done) list.push(decodeScalar(field.type, inner, 0));
}

function decodeMapEntry(
  object: MutableJsonObject,
  field: MessageField,
  reader: WireReader,
  wire: number,
  depth: number,
): void {
  if (wire !== 2) throw malformed(`wrong wire type ${wire} for field ${field.name}`);
  const entry = reader.message();
  let key = '';
  let value: MutableJson | undefined;
  while (!entry.done) {
    const part = entry.key();
    if (part.number === 1 && part.wire === 2) key = entry.string();
    else if (part.number === 2) value = decodeValue(field, entry, part.wire, depth);
    else entry.skip(part.wire);
  }
  const map = (object[field.name] ??= {}) as MutableJsonObject;
  setKey(map, key, value ?? emptyValue(field.type));
}

function emptyValue(type: string): MutableJson {
  if (type === 'string' || type === 'bytes') return '';
  const form = specialForm(type);
  if (form === 'quantity') return '0';
  return form === 'string-list' ? [] : {};
}

/** Sets a key that a client sent: `__proto__` must become an ordinary key. */
function setKey(map: MutableJsonObject, key: string, value: MutableJson): void {
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

function decodeValue(field: MessageField, reader: WireReader, wire: number, depth: number): MutableJson | undefined {
  if (isScalar(field.type)) return decodeScalar(field.type, reader, wire);
  if (wire !== 2) throw malformed(`wrong wire type ${wire} for field ${field.name}`);
  const inner = reader.message();
  const form = specialForm(field.type);
  if (form === undefined) return decodeMessage(messageType(field.type), inner, depth + 1);
  return decodeSpecialMessage(form, inner, nestedDecoders(depth));
}

function nestedDecoders(depth: number): NestedDecoders {
  return {
    schema: (reader) => decodeMessage(messageType(schemaPropsMessage), reader, depth + 1),
    envelope: (bytes) => {
      if (!startsWithMagic(bytes)) return undefined;
      if (depth >= depthMax) throw malformed('message is nested too deeply');
      return decodeEnvelope(bytes, depth + 1).object;
    },
  };
}

const wireTypes: Readonly<Record<string, number>> = { string: 2, bytes: 2, double: 1, int32: 0, int64: 0, bool: 0 };

function decodeScalar(type: string, reader: WireReader, wire: number): MutableJson {
  if (wireTypes[type] !== wire) throw malformed(`wrong wire type ${wire} for a field of type ${type}`);
  switch (type) {
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.binary().toString('base64');
    case 'double':
      return reader.double();
    case 'bool':
      return reader.varint() !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, reader.varint()));
    default:
      return signed(reader.varint());
  }
}
