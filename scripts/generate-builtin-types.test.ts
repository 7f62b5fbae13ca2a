import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinTypeFiles } from './generate-builtin-types.mjs';

const folder = new URL('../packages/kube/src/builtin/', import.meta.url);

it('the types of built-in kinds are those of the table: else run node scripts/generate-builtin-types.mjs', () => {
  const written = readdirSync(folder).map((name): [string, string] => [
    name,
    readFileSync(new URL(name, folder), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(builtinTypeFiles()));
});
