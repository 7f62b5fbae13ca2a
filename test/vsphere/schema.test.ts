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

/** Returns how Slipway's fields differ from the peer's: unknown, out of order, single instead of list. */
function differences(type: SchemaType | undefined, fields: Readonly<Record<string, string>>): string[] {
  const known = (type?.fields ?? []).filter((field) => field.name !== '_this');
  let last = -1;
  return Object.entries(fields).flatMap(([name, text]) => {
    const place = known.findIndex((field) => field.name === name);
    if (place < 0) return [`${name} is unknown`];
    const wrong = place < last ? [`${name} is out of order`] : [];
    last = Math.max(last, place);
    if (text.endsWith('[]') !== (known[place]?.list ?? false)) wrong.push(`${name} is one here and many there`);
    return wrong;
  });
}

describe('the type table, compared with the types that govmomi generates from the WSDL', () => {
  it.each(Object.entries<{ readonly base?: string; readonly fields: Readonly<Record<string, string>> }>(dataTypes))(
    '%s [vsphere B5]',
    (name, { base, fields }) => {
      expect(schema).toHaveProperty(name);
      expect(differences(schema[name], fields)).toEqual([]);
      expect(base === undefined ? [base] : ancestors(name)).toContain(base);
    },
  );

  it.each(Object.entries(methods))('%s [vsphere B5]', (method, { parameters }) => {
    expect(differences(schema[requestTypes[method] ?? ''], parameters)).toEqual([]);
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
