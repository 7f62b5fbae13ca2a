import { canonicalQuantity, formatDuration, formatTime, type MutableJson, type MutableJsonObject } from '@slipway/kube';
import type { SpecialForm } from '../../kinds/types/index.js';
import { parseEmbeddedJson } from './embedded-json.js';
import { malformed, signed, type WireReader } from './wire-reader.js';

/** Decoders that the caller provides for messages inside a special message. */
export interface NestedDecoders {
  schema(reader: WireReader): MutableJsonObject;
  /** Decodes a RawExtension that contains a protobuf envelope instead of JSON. */
  envelope(bytes: Buffer): MutableJsonObject | undefined;
}

/** Returns the JSON form of a special message; undefined if JSON omits it. */
export function decodeSpecialMessage(
  form: SpecialForm,
  reader: WireReader,
  nested: NestedDecoders,
): MutableJson | undefined {
  switch (form) {
    case 'time':
    case 'micro-time':
      return decodeTime(reader, form === 'micro-time');
    case 'duration':
      return formatDuration(BigInt(readFields(reader).integers.get(1) ?? 0));
    case 'quantity':
      return decodeQuantity(reader);
    case 'int-or-string': {
      const fields = readFields(reader);
      if (Number(fields.integers.get(1) ?? 0) === 1) return fields.text(3);
      return Number(BigInt.asIntN(32, BigInt(fields.integers.get(2) ?? 0)));
    }
    case 'raw-object':
    case 'raw-value': {
      const raw = readFields(reader).blobs.get(1)?.at(-1);
      if (raw === undefined || raw.length === 0) return undefined;
      return (form === 'raw-object' ? nested.envelope(raw) : undefined) ?? parseEmbeddedJson(raw);
    }
    case 'string-list':
      return readFields(reader).texts(1);
    default:
      return decodeSchemaOr(form, reader, nested);
  }
}

interface Fields {
  readonly integers: ReadonlyMap<number, number | bigint>;
  readonly blobs: ReadonlyMap<number, readonly Buffer[]>;
  text(number: number): string;
  texts(number: number): string[];
}

function readFields(reader: WireReader): Fields {
  const integers = new Map<number, number | bigint>();
  const blobs = new Map<number, Buffer[]>();
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire === 0) integers.set(number, signed(reader.varint()));
    else if (wire === 2) append(blobs, number, reader.binary());
    else reader.skip(wire);
  }
  const texts = (number: number): string[] => (blobs.get(number) ?? []).map((blob) => blob.toString('utf8'));
  return { integers, blobs, texts, text: (number) => texts(number).at(-1) ?? '' };
}

function append(blobs: Map<number, Buffer[]>, number: number, blob: Buffer): void {
  const list = blobs.get(number);
  if (list === undefined) blobs.set(number, [blob]);
  else list.push(blob);
}

// First and last second of the years 0000 to 9999, the range of RFC 3339.
const secondsMin = -62_167_219_200;
const secondsMax = 253_402_300_799;

function decodeTime(reader: WireReader, micro: boolean): string | undefined {
  // An empty message is the zero time; the epoch has explicit zeros.
  if (reader.done) return undefined;
  const { integers } = readFields(reader);
  const seconds = Number(integers.get(1) ?? 0);
  const nanos = Number(integers.get(2) ?? 0);
  if (seconds < secondsMin || seconds > secondsMax || nanos < 0 || nanos > 999_999_999) {
    throw malformed('time is out of range');
  }
  const text = formatTime(seconds * 1000);
  if (!micro) return text;
  const micros = Math.floor(nanos / 1000)
    .toString()
    .padStart(6, '0');
  return `${text.slice(0, -1)}.${micros}Z`;
}

function decodeQuantity(reader: WireReader): string {
  const text = readFields(reader).text(1);
  try {
    return canonicalQuantity(text === '' ? '0' : text);
  } catch (error) {
    throw malformed((error as Error).message);
  }
}

function decodeSchemaOr(form: SpecialForm, reader: WireReader, nested: NestedDecoders): MutableJson {
  const items: MutableJsonObject[] = [];
  const strings: string[] = [];
  let schema: MutableJsonObject | undefined;
  let allows = false;
  const schemaField = form === 'schema-or-bool' ? 2 : 1;
  while (!reader.done) {
    const { number, wire } = reader.key();
    if (wire === 0) allows = reader.varint() !== 0n;
    else if (wire !== 2) reader.skip(wire);
    else if (number === schemaField) schema = nested.schema(reader.message());
    else if (form === 'schema-or-array') items.push(nested.schema(reader.message()));
    else strings.push(reader.string());
  }
  if (items.length > 0) return items;
  if (form === 'schema-or-strings' && strings.length > 0) return strings;
  return schema ?? (form === 'schema-or-bool' ? allows : {});
}
