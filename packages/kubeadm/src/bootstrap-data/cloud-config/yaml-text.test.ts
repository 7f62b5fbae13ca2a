import { parseYamlValue, quoteGo } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, scalar, singleQuote } from './yaml-text.js';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...Array.from(' \t\n\r:#-?,[]{}&*!|>\'"%@`~\\=<.0x17eEyntrufalso\u00e9\u2028\u{1f600}')),
    maxLength: 20,
  }),
  fc.constantFrom(
    'true',
    'null',
    '~',
    '0777',
    '1e3',
    '1:30',
    '2026-01-01',
    '<<',
    '{{ ds.x }}',
    '{% raw %}',
    '---',
    '...',
  ),
);

function reads(yaml: string): unknown {
  return parseYamlValue(yaml);
}

describe('scalar', () => {
  it.each([
    ['root:root', 'root:root'],
    ['$6$salt$hash/with.chars', '$6$salt$hash/with.chars'],
    ['ALL=(ALL) NOPASSWD:ALL', 'ALL=(ALL) NOPASSWD:ALL'],
    ['-F', '-F'],
    ['a#b', 'a#b'],
    ['a #b', '"a #b"'],
    ['a: b', '"a: b"'],
    ['true', '"true"'],
    ['0640', '"0640"'],
    ['', '""'],
    ['{{ ds.meta_data.x }}', '"{{ ds.meta_data.x }}"'],
  ])('writes %j as %s', (text, written) => {
    expect(scalar(text)).toBe(written);
  });

  it('round-trips as a value, in a list and as a key', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(reads(`a: ${scalar(text)}\n`)).toEqual({ a: text });
        expect(reads(`- ${scalar(text)}\n`)).toEqual([text]);
        expect(Object.entries(reads(`${scalar(text)}: 1\n`) as object)).toEqual([[text, 1]]);
      }),
    );
  });
});

describe('quoteGo', () => {
  it('round-trips through YAML', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(reads(`- ${quoteGo(text)}\n`)).toEqual([text]);
      }),
    );
  });
});

describe('singleQuote', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(reads(`- ${singleQuote(text)}\n`)).toEqual([text]);
      }),
    );
  });
});

describe('block', () => {
  it('round-trips, except for trailing newlines', () => {
    const ending = (text: string): string => text.replace(/\n+$/, '');
    fc.assert(
      fc.property(hostileText, (text) => {
        const yaml = `-   path: /a\n    content: ${block(text, 4)}\n-   path: /b\n`;
        const [first, second] = reads(yaml) as [{ content: string }, { path: string }];
        expect(ending(first.content)).toBe(ending(text));
        expect(second).toEqual({ path: '/b' });
      }),
      { numRuns: 500 },
    );
  });

  it('adds the trailing newline of a file', () => {
    expect(reads(`a:\n    content: ${block('one', 4)}\n`)).toEqual({ a: { content: 'one\n' } });
  });
});
