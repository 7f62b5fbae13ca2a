import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { dataTypes, methods } from '../../packages/vsphere/src/vim25/schema/index.js';
import { peerBinary } from '../support/peer-process.js';

interface SchemaType {
  readonly base?: string;
  readonly fields: readonly { readonly name: string; readonly type: string; readonly list?: boolean }[];
}

function schemaOf(names: readonly string[]): Readonly<Record<string, SchemaType>> {
  const text = execFileSync(peerBinary('vcsim'), ['-schema', names.join(',')], { encoding: 'utf8' });
  return JSON.parse(text) as Record<string, SchemaType>;
}

const requestTypes = Object.fromEntries(
  Object.keys(methods).map((method) => [method, `${method.replace(/_Task$/, '')}RequestType`]),
);
const schema = schemaOf([...Object.keys(dataTypes), ...Object.values(requestTypes)]);

/** Our field is the peer's: the same name at a later place, one or many alike. */
function expectOrder(type: SchemaType | undefined, fields: Readonly<Record<string, string>>, name: string): void {
  expect(type, name).toBeDefined();
  const known = (type?.fields ?? []).filter((field) => field.name !== '_this');
  const order = new Map(known.map((field, index) => [field.name, index]));
  const places = Object.keys(fields).map((field) => order.get(field));
  expect(places, `${name}: every field is known`).not.toContain(undefined);
  expect(places, `${name}: in order`).toEqual(places.toSorted((left, right) => (left ?? 0) - (right ?? 0)));
  for (const [field, text] of Object.entries(fields)) {
    expect(text.endsWith('[]'), `${name}.${field}: one or many`).toBe(known[order.get(field) ?? 0]?.list ?? false);
  }
}

describe('the table of types, beside the types that govmomi generates from the WSDL', () => {
  it.each(Object.entries<{ readonly base?: string; readonly fields: Readonly<Record<string, string>> }>(dataTypes))(
    'vsphere B5: %s',
    (name, { base, fields }) => {
      expectOrder(schema[name], fields, name);
      if (base !== undefined) expect(ancestors(name)).toContain(base);
    },
  );

  it.each(Object.entries(methods))('vsphere B5: %s', (method, { parameters }) => {
    const type = requestTypes[method] ?? '';
    // A method without parameters has no type of its own to speak of.
    if (Object.keys(parameters).length > 0) expectOrder(schema[type], parameters, type);
    else expect(schema[type]?.fields.map(({ name }) => name).filter((name) => name !== '_this') ?? []).toEqual([]);
  });
});

function ancestors(name: string): string[] {
  const found: string[] = [];
  let current = schema[name]?.base;
  while (current !== undefined) {
    found.push(current);
    current = schema[current]?.base ?? schemaOf([current])[current]?.base;
  }
  return found;
}
