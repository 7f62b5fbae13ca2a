import { readFileSync } from 'node:fs';
import { type JsonObject, StatusError } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isScalar, type MessageField, messageNames, messageType, specialForm } from '../../kinds/types/index.js';
import { decodeProtobuf } from './decode.js';
import { encodeKind, envelopePieces, watchFramePieces } from './encode.js';

interface Vector {
  readonly kind: string;
  readonly protobuf: string;
  readonly json: JsonObject;
}

// Bodies as a Go client sends them, with the JSON that the Go server prints for them.
const vectors = JSON.parse(
  readFileSync(new URL('./testdata/go-encoded.json', import.meta.url), 'utf8'),
) as readonly Vector[];

/** Go prints null for absent lists, times and maps that are not optional; this server omits them. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : withoutNulls(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}

function envelope(apiVersion: string, kind: string, raw: readonly number[]): Buffer {
  const typeMeta = [0x0a, apiVersion.length, ...Buffer.from(apiVersion), 0x12, kind.length, ...Buffer.from(kind)];
  return Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, typeMeta.length, ...typeMeta, 0x12, raw.length, ...raw]);
}

function refusal(bytes: Buffer): string {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

function encodeProtobuf(object: JsonObject): Buffer | undefined {
  const encoded = encodeKind(object);
  return encoded === undefined ? undefined : Buffer.concat(envelopePieces(encoded));
}

function encodeWatchFrame(type: string, object: JsonObject): Buffer | undefined {
  const encoded = encodeKind(object);
  return encoded === undefined ? undefined : Buffer.concat(watchFramePieces(type, encoded));
}

describe('protobuf bodies of Go clients', () => {
  it.each(vectors)('decodes $kind to the JSON that the Go server prints', ({ protobuf, json }) => {
    expect(decodeProtobuf(Buffer.from(protobuf, 'base64')).object).toEqual(withoutNulls(json));
  });

  it.each(vectors)('encodes $kind so that it decodes to the same object', ({ json }) => {
    const object = withoutNulls(json) as JsonObject;
    const bytes = encodeProtobuf(object);
    expect(decodeProtobuf(bytes ?? Buffer.alloc(0)).object).toEqual(object);
  });

  it('keeps six digits of MicroTime and no fraction of Time', () => {
    const lease = vectors.find(({ kind }) => kind === 'Lease');
    const { object } = decodeProtobuf(Buffer.from(lease?.protobuf ?? '', 'base64'));
    expect(object.spec).toMatchObject({ acquireTime: '2024-01-02T03:04:05.000006Z' });
  });
});

describe('malformed protobuf', () => {
  const rows: readonly { readonly name: string; readonly bytes: Buffer; readonly expected: string }[] = [
    { name: 'an empty body', bytes: Buffer.alloc(0), expected: '400 unable to decode the protobuf body: empty data' },
    {
      name: 'a missing magic number',
      bytes: Buffer.from('{"kind":"Pod"}'),
      expected:
        '400 unable to decode the protobuf body: provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    },
    {
      name: 'a length past the end',
      bytes: Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, 0x7f]),
      expected: '400 unable to decode the protobuf body: unexpected EOF',
    },
    {
      name: 'a length of 2^63',
      bytes: envelope('v1', 'Pod', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
      expected: '400 unable to decode the protobuf body: unexpected EOF',
    },
    {
      name: 'an integer that does not end',
      bytes: envelope('v1', 'Pod', Array<number>(12).fill(0xff)),
      expected: '400 unable to decode the protobuf body: integer overflow',
    },
    {
      name: 'a protobuf group',
      bytes: envelope('v1', 'Pod', [0x0b]),
      expected: '400 unable to decode the protobuf body: illegal wire type 3',
    },
    {
      name: 'field 0',
      bytes: envelope('v1', 'Pod', [0x02, 0]),
      expected: '400 unable to decode the protobuf body: illegal tag 0',
    },
    {
      name: 'an integer instead of a message',
      bytes: envelope('v1', 'Pod', [0x08, 1]),
      expected: '400 unable to decode the protobuf body: wrong wire type 0 for field metadata',
    },
    {
      name: 'an unknown kind',
      bytes: envelope('v1', 'Widget', []),
      expected: '400 unable to decode the protobuf body: no kind "Widget" is registered for version "v1"',
    },
    {
      name: 'a kind named like a member of Object.prototype',
      bytes: envelope('v1', 'constructor', []),
      expected: '400 unable to decode the protobuf body: no kind "constructor" is registered for version "v1"',
    },
    {
      name: 'a missing kind',
      bytes: envelope('v1', '', []),
      expected: "400 unable to decode the protobuf body: Object 'Kind' or 'apiVersion' is missing",
    },
  ];
  it.each(rows)('rejects $name', ({ bytes, expected }) => {
    expect(refusal(bytes)).toBe(expected);
  });

  it('limits the nesting depth', () => {
    let schema: Buffer = Buffer.alloc(0);
    // JSONSchemaProps.not is field 28: a message within a message within a message.
    for (let depth = 0; depth < 300; depth += 1) schema = nest(28, schema);
    let body: Buffer = schema;
    for (const number of [1, 4, 7, 2]) body = nest(number, body);
    const typeMeta = Buffer.from('\n\x17apiextensions.k8s.io/v1\x12\x18CustomResourceDefinition', 'latin1');
    const bytes = Buffer.concat([Buffer.from('k8s\0'), nest(1, typeMeta), nest(2, body)]);
    expect(refusal(bytes)).toBe('400 unable to decode the protobuf body: message is nested too deeply');
  });

  it('decodes a key such as __proto__ as an ordinary key', () => {
    const entry = [0x0a, 9, ...Buffer.from('__proto__'), 0x12, 1, 0x78];
    const { object } = decodeProtobuf(envelope('v1', 'ConfigMap', [0x12, entry.length, ...entry]));
    expect(Object.keys(object.data as object)).toEqual(['__proto__']);
  });

  it('returns an object or a 400 for arbitrary bytes', () => {
    const kinds = ['Pod', 'ConfigMap', 'Event', 'Service', 'Node', 'DeleteOptions'];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 120 }), (kind, raw) => {
        expect(refusal(envelope('v1', kind, [...raw]))).toMatch(/^(?:accepted|400 )/);
      }),
      { numRuns: 2000 },
    );
  });

  it('returns an object or a 400 for corrupted bodies', () => {
    const bodies = vectors.map(({ protobuf }) => Buffer.from(protobuf, 'base64'));
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(), fc.integer({ min: 0, max: 255 }), (body, place, byte) => {
        const damaged = Buffer.from(body);
        damaged[place % damaged.length] = byte;
        expect(refusal(damaged)).toMatch(/^(?:accepted|400 )/);
      }),
      { numRuns: 3000 },
    );
  });
});

function nest(number: number, inner: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(inner.length), inner]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Objects of a built-in type in the form the server stores: optional zero values are absent. */
function anyMessage(name: string, depth: number): fc.Arbitrary<JsonObject> {
  const entries: Record<string, fc.Arbitrary<unknown>> = {};
  const inlined: fc.Arbitrary<JsonObject>[] = [];
  for (const field of messageType(name).fields) {
    if (field.inline) inlined.push(anyMessage(field.type, depth));
    else if (isScalar(field.type) || depth > 0) entries[field.name] = anyField(field, depth);
  }
  const own = fc.record(entries, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
  return fc.tuple(own, ...inlined).map((parts) => Object.assign({}, ...parts) as JsonObject);
}

function anyField(field: MessageField, depth: number): fc.Arbitrary<unknown> {
  const value = anyValue(field.type, depth);
  if (field.shape === 'repeated') return fc.array(value, { minLength: 1, maxLength: 2 });
  if (field.shape === 'map')
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), value, { minKeys: 1, maxKeys: 2 });
  return value;
}

function anyValue(type: string, depth: number): fc.Arbitrary<unknown> {
  const scalars: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.string({ minLength: 1, maxLength: 8 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    int32: fc.integer().filter((value) => value !== 0),
    int64: fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    bool: fc.constant(true),
    double: fc.double({ min: 1, noNaN: true }),
  };
  if (isScalar(type)) return scalars[type] ?? fc.constant('');
  switch (specialForm(type)) {
    case undefined:
      return anyMessage(type, depth - 1);
    case 'time':
      return fc.constant('2024-02-29T23:59:59Z');
    case 'micro-time':
      return fc.constant('1970-01-01T00:00:00.000001Z');
    case 'duration':
      return fc.constantFrom('1h0m0s', '1.5s', '0s');
    case 'quantity':
      return fc.constantFrom('500m', '1Gi', '0', '-3k');
    case 'int-or-string':
      return fc.oneof(fc.integer(), fc.string({ maxLength: 5 }));
    case 'raw-object':
      return fc.constant({ 'f:a': {}, b: [1, 'x', null] });
    case 'raw-value':
      return fc.constantFrom(1, 'x', null, [true]);
    case 'string-list':
      return fc.constant(['a', 'b']);
    case 'schema-or-bool':
      return fc.constantFrom(true, false, { type: 'string' });
    case 'schema-or-strings':
      return fc.constantFrom(['a'], { type: 'string' });
    default:
      return fc.constantFrom([{ type: 'string' }], { type: 'string' });
  }
}

describe('protobuf round trips', () => {
  const kinds = messageNames().filter(
    (name) => name.startsWith('k8s.io.api.') && messageType(name).isKind && !name.endsWith('List'),
  );
  it.each(kinds)('decodes %s to the encoded object', (name) => {
    const [, , , group = '', version = '', kind = ''] = name.split('.');
    const groups: Record<string, string> = {
      core: '',
      apps: 'apps',
      batch: 'batch',
      policy: 'policy',
      autoscaling: 'autoscaling',
    };
    const apiVersion = group === 'core' ? version : `${groups[group] ?? `${group}.k8s.io`}/${version}`;
    fc.assert(
      fc.property(anyMessage(name, 2), (fields) => {
        const object = { kind, apiVersion, ...fields } as JsonObject;
        const bytes = encodeProtobuf(object);
        expect(decodeProtobuf(bytes ?? Buffer.alloc(0)).object).toEqual(object);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('prefixes watch events with their length', () => {
    const frame =
      encodeWatchFrame('ADDED', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } }) ?? Buffer.alloc(4);
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    expect(frame.includes('k8s\0')).toBe(true);
  });

  it('has no protobuf form for custom kinds', () => {
    expect(encodeProtobuf({ kind: 'Widget', apiVersion: 'example.com/v1' })).toBeUndefined();
  });
});
