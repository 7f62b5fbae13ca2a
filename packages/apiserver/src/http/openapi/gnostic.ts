/**
 * Encodes an OpenAPI v2 document as the protobuf message `openapi.v2.Document` of github.com/google/gnostic-models, the
 * format that `OpenAPISchema()` of client-go and older versions of kubectl request.
 */
export function encodeGnostic(document: object): Buffer {
  return encode(messages.document, document as Json);
}

type Json = Readonly<Record<string, unknown>>;
type Encoder = (number: number, value: unknown) => Buffer;

/** The encoders of a message by the field name in JSON, with field numbers. Fields `x-…` go to `extensions`. */
interface Message {
  readonly fields: Readonly<Record<string, readonly [number: number, encoder: Encoder]>>;
  readonly extensions: number;
}

function encode({ fields, extensions }: Message, value: Json): Buffer {
  const parts: Buffer[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith('x-')) parts.push(field(extensions, named(key, any(2, item))));
    const [number, encoder] = (Object.hasOwn(fields, key) ? fields[key] : undefined) ?? [];
    if (number !== undefined && encoder !== undefined && item !== undefined) parts.push(encoder(number, item));
  }
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

/** Writes a length-delimited field. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

const text: Encoder = (number, value) => field(number, Buffer.from(String(value)));
const flag: Encoder = (number, value) => Buffer.concat([varint(number * 8), varint(value === true ? 1 : 0)]);
const integer: Encoder = (number, value) => Buffer.concat([varint(number * 8), varint(Number(value))]);
const double: Encoder = (number, value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return Buffer.concat([varint(number * 8 + 1), bytes]);
};
/** An `Any` holds the value as YAML, of which JSON is a subset. */
const any: Encoder = (number, value) => field(number, text(2, `${JSON.stringify(value)}\n`));
const repeated =
  (encoder: Encoder): Encoder =>
  (number, value) =>
    Buffer.concat((Array.isArray(value) ? (value as unknown[]) : [value]).map((item) => encoder(number, item)));
const nested =
  (content: (value: Json) => Buffer): Encoder =>
  (number, value) =>
    field(number, content(value as Json));
const named = (name: string, value: Buffer): Buffer => Buffer.concat([text(1, name), value]);
/** A map: a separate message with a list of names and values in field `inner`. */
const map = (inner: number, content: (value: Json) => Buffer): Encoder =>
  nested((value) =>
    Buffer.concat(
      Object.entries(value).map(([name, item]) => field(inner, named(name, field(2, content(item as Json))))),
    ),
  );

const schema = (value: Json): Buffer => encode(messages.schema, value);

const additionalProperties: Encoder = (number, value) =>
  field(number, typeof value === 'boolean' ? flag(2, value) : field(1, schema(value as Json)));

/** A parameter is wrapped by its place: in the body, the query or the path. */
function parameter(value: Json): Buffer {
  if (value['in'] === 'body') return field(1, field(1, encode(messages.bodyParameter, value)));
  const [place, message] = value['in'] === 'query' ? [3, messages.queryParameter] : [4, messages.pathParameter];
  return field(1, field(2, field(place, encode(message, value))));
}

const response = (value: Json): Buffer => field(1, encode(messages.response, value));
const operation = nested((value) => encode(messages.operation, value));
const parameters = repeated(nested(parameter));

type MessageName =
  | 'document'
  | 'info'
  | 'pathItem'
  | 'operation'
  | 'bodyParameter'
  | 'queryParameter'
  | 'pathParameter'
  | 'response'
  | 'schema';

const messages: Readonly<Record<MessageName, Message>> = {
  document: {
    extensions: 16,
    fields: {
      swagger: [1, text],
      info: [2, nested((value) => encode(messages.info, value))],
      paths: [8, map(2, (value) => encode(messages.pathItem, value))],
      definitions: [9, map(1, schema)],
    },
  },
  info: { extensions: 7, fields: { title: [1, text], version: [2, text], description: [3, text] } },
  pathItem: {
    extensions: 10,
    fields: {
      get: [2, operation],
      put: [3, operation],
      post: [4, operation],
      delete: [5, operation],
      options: [6, operation],
      head: [7, operation],
      patch: [8, operation],
      parameters: [9, parameters],
    },
  },
  operation: {
    extensions: 13,
    fields: {
      tags: [1, repeated(text)],
      description: [3, text],
      operationId: [5, text],
      produces: [6, repeated(text)],
      consumes: [7, repeated(text)],
      parameters: [8, parameters],
      responses: [9, map(1, response)],
      schemes: [10, repeated(text)],
    },
  },
  bodyParameter: {
    extensions: 6,
    fields: {
      description: [1, text],
      name: [2, text],
      in: [3, text],
      required: [4, flag],
      schema: [5, nested(schema)],
    },
  },
  queryParameter: {
    extensions: 23,
    fields: {
      required: [1, flag],
      in: [2, text],
      description: [3, text],
      name: [4, text],
      type: [6, text],
      format: [7, text],
    },
  },
  pathParameter: {
    extensions: 22,
    fields: {
      required: [1, flag],
      in: [2, text],
      description: [3, text],
      name: [4, text],
      type: [5, text],
      format: [6, text],
    },
  },
  response: {
    extensions: 5,
    fields: { description: [1, text], schema: [2, nested((value) => field(1, schema(value)))] },
  },
  schema: {
    extensions: 31,
    fields: {
      $ref: [1, text],
      format: [2, text],
      title: [3, text],
      description: [4, text],
      default: [5, any],
      multipleOf: [6, double],
      maximum: [7, double],
      exclusiveMaximum: [8, flag],
      minimum: [9, double],
      exclusiveMinimum: [10, flag],
      maxLength: [11, integer],
      minLength: [12, integer],
      pattern: [13, text],
      maxItems: [14, integer],
      minItems: [15, integer],
      uniqueItems: [16, flag],
      maxProperties: [17, integer],
      minProperties: [18, integer],
      required: [19, repeated(text)],
      enum: [20, repeated(any)],
      additionalProperties: [21, additionalProperties],
      type: [22, nested((value) => repeated(text)(1, value))],
      items: [23, nested((value) => field(1, schema(value)))],
      allOf: [24, repeated(nested(schema))],
      properties: [25, map(1, schema)],
    },
  },
};
