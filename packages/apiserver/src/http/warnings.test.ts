import { expect, it } from 'vitest';
import { Warnings } from './warnings.js';

it('escapes quotes in Warning headers', () => {
  const warnings = new Warnings();
  warnings.add('unknown field "spec.foo"');
  expect(warnings.headers()).toEqual(['299 - "unknown field \\"spec.foo\\""']);
});

it('deduplicates warnings and truncates each to 256 runes if the total exceeds 4 KiB', () => {
  const warnings = new Warnings();
  const long = (letter: string): string => `${letter}${'é'.repeat(1500)}`;
  for (const letter of ['a', 'b', 'b', 'c']) warnings.add(long(letter));
  const headers = warnings.headers() ?? [];
  expect(headers).toHaveLength(3);
  const text = Buffer.from(headers[2] ?? '', 'latin1').toString('utf8');
  expect(Array.from(text)).toHaveLength('299 - ""'.length + 256);
});

it('stops adding when the truncated texts fill the budget', () => {
  const warnings = new Warnings();
  for (let index = 0; index < 100; index += 1) warnings.add(`${index} ${'x'.repeat(400)}`);
  expect(warnings.headers()).toHaveLength(16);
});

it('keeps control characters out of the header', () => {
  const warnings = new Warnings();
  warnings.add('a\r\nSet-Cookie: b');
  expect(warnings.headers()).toEqual(['299 - "a Set-Cookie: b"']);
});
