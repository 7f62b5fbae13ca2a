import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinTypeFiles } from './generate-builtin-types.mjs';

const folder = new URL('../packages/kube/src/builtin/', import.meta.url);

it('matches the committed types of built-in kinds; otherwise run node scripts/generate-builtin-types.mjs', () => {
  const written = readdirSync(folder).map((name): [string, string] => [
    name,
    readFileSync(new URL(name, folder), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(builtinTypeFiles()));
});
