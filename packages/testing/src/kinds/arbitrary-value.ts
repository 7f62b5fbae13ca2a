import type { JsonValue, Schema } from '@slipway/kube';
import fc from 'fast-check';

/** Replaces the generated values of a field, or omits the field. The path has no list indices, for example `spec.taints.key`. */
export type Override = (path: string, schema: Schema) => fc.Arbitrary<JsonValue> | 'absent' | undefined;

/**
 * Generates values that a schema allows. Objects and lists are never empty: the versions of a kind differ in whether they omit an
 * empty one.
 */
export function arbitraryValue(
  schema: Schema,
  override: Override = () => undefined,
  path = '',
): fc.Arbitrary<JsonValue> {
  const replaced = override(path, schema);
  if (replaced !== undefined && replaced !== 'absent') return replaced;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(fc.nat(100), fc.constant('25%'));
  switch (schema.type) {
    case 'object':
      return arbitraryObject(schema, override, path);
    case 'array':
      return arbitraryList(schema, override, path);
    case 'string':
      return arbitraryString(schema);
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? 0, 1), max: Math.min(schema.maximum ?? 100_000, 100_000) });
    case 'number':
      return fc.nat(100);
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constantFrom<JsonValue>('text', 7, true, { a: [1] });
  }
}

const samples = [
  'abc',
  'a1',
  'x',
  'Kind',
  'example.com/v1',
  'a/b',
  '[1-3]',
  'Linux',
  'example.com',
  '10.0.0.0/24',
  '10.0.0.1',
];

function arbitraryString(schema: Schema): fc.Arbitrary<JsonValue> {
  if (schema.format === 'date-time') return fc.constantFrom('2026-01-02T03:04:05Z', '2026-06-07T08:09:10Z');
  if (schema.format === 'byte') return fc.constantFrom('YWJj', 'Zm9v');
  const pattern = new RegExp(schema.pattern ?? '');
  const known = samples.filter((text) => pattern.test(text) && text.length <= (schema.maxLength ?? 100));
  return fc.constantFrom(...known);
}

function arbitraryObject(schema: Schema, override: Override, path: string): fc.Arbitrary<JsonValue> {
  if (typeof schema.additionalProperties === 'object') {
    const value = arbitraryValue(schema.additionalProperties, override, `${path}.*`);
    return fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), value, {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, field]) => ({ name, field, path: path === '' ? name : `${path}.${name}` }))
    .filter(({ path: fieldPath, field }) => override(fieldPath, field) !== 'absent');
  if (fields.length === 0) return fc.constant({});
  const required = new Set(schema.required);
  const model = Object.fromEntries(
    fields.map(({ name, field, path: fieldPath }) => [name, arbitraryValue(field, override, fieldPath)]),
  );
  const requiredKeys = fields.map(({ name }) => name).filter((name) => required.has(name));
  const some = fc.record(model, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Record<string, JsonValue>>;
  const first = fields[0];
  if (first === undefined || requiredKeys.length > 0) return some;
  return fc
    .tuple(some, arbitraryValue(first.field, override, first.path))
    .map(([value, fallback]) => (Object.keys(value).length > 0 ? value : { [first.name]: fallback }));
}

function arbitraryList(schema: Schema, override: Override, path: string): fc.Arbitrary<JsonValue> {
  const item = arbitraryValue(schema.items ?? {}, override, path);
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys === undefined) return fc.array(item, { minLength: 1, maxLength: 2 });
  // The validation rules of the tested kinds require the first map key to be unique by itself.
  return fc.uniqueArray(item, {
    minLength: 1,
    maxLength: 3,
    selector: (value) => JSON.stringify((value as Record<string, JsonValue>)[keys[0] ?? '']),
  });
}
