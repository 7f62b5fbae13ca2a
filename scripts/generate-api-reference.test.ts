import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiReferencePages } from './generate-api-reference.js';

const folder = new URL('../docs/reference/api/', import.meta.url);
const pages = apiReferencePages();

it('matches the committed API reference; otherwise run npm run docs:api', () => {
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name): [string, string] => [name, readFileSync(new URL(name, folder), 'utf8')]);
  const stale = written.filter(([name, text]) => pages.get(name) !== text).map(([name]) => name);
  const missing = [...pages.keys()].filter((name) => !written.some(([other]) => other === name));
  expect({ stale, missing }).toEqual({ stale: [], missing: [] });
});

it('keeps every page below 300 KB', () => {
  const large = [...pages].filter(([, text]) => Buffer.byteLength(text) > 300_000).map(([name]) => name);
  expect(large).toEqual([]);
});
