import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactReader } from './exact-reader.js';
import { parseJson, parseJsonValue } from './parse-json.js';
import { stringifyJson } from './stringify-json.js';
import { deepEqual } from './deep.js';
import type { JsonValue } from './value.js';

describe('parseJson', () => {
  const values: { name: string; text: string; value: unknown }[] = [
    { name: 'a plain object', text: '{"a":[1,true,null,"x"]}', value: { a: [1, true, null, 'x'] } },
    { name: '`1.0` and `1` as the same number', text: '[1.0,1,1e3,1.50]', value: [1, 1, 1000, 1.5] },
    {
      name: 'integers above 2^53 exactly',
      text: '[9007199254740993,-9223372036854775808]',
      value: [9007199254740993n, -9223372036854775808n],
    },
    { name: 'integers beyond 64 bits as doubles, like Go', text: '18446744073709551616', value: 18446744073709552000 },
    {
      name: 'long but safe integers',
      text: '[1000000000000000,"1234567890123456789"]',
      value: [1e15, '1234567890123456789'],
    },
    { name: 'a lone surrogate', text: '"a\\ud800b"', value: 'a\ufffdb' },
    { name: 'a surrogate pair', text: '"\\ud83d\\ude00"', value: '😀' },
    {
      name: 'escapes next to large numbers',
      text: '{"a\\n":12345678901234567890,"b":0.1234567890123456789}',
      value: { 'a\n': 12345678901234567000, b: 0.12345678901234568 },
    },
  ];
  it.each(values)('parses $name', ({ text, value }) => {
    expect(parseJson(text)).toEqual({ value, duplicateKeys: [] });
    expect(parseJson(Buffer.from(text))).toEqual({ value, duplicateKeys: [] });
  });

  it('replaces bytes that are not UTF-8', () => {
    expect(parseJsonValue(Uint8Array.of(0x22, 0x61, 0xff, 0x22))).toBe('a\ufffd');
  });

  const duplicates = [
    { text: '{"a":1,"a":2}', value: { a: 2 }, paths: ['a'] },
    {
      text: '{"spec":{"items":[{"q":1,"q":{"z":1}}]}}',
      value: { spec: { items: [{ q: { z: 1 } }] } },
      paths: ['spec.items[0].q'],
    },
    { text: '{"a":1,"a":2,"a":3,"b":{"c":1,"c":1}}', value: { a: 3, b: { c: 1 } }, paths: ['a', 'b.c'] },
    { text: '{"a\\u0062":1,"ab":2}', value: { ab: 2 }, paths: ['ab'] },
    { text: '{"a:b":1,"c":"{\\"x\\":1}"}', value: { 'a:b': 1, c: '{"x":1}' }, paths: [] },
  ];
  it.each(duplicates)('reports the paths of duplicate keys: $text', (row) => {
    expect(parseJson(row.text)).toMatchObject({ value: row.value, duplicateKeys: row.paths });
  });

  it('returns the paths of all keys in text order if there are duplicate keys', () => {
    expect(parseJson('{"a":[{"b":1,"b":2}],"c":1}').keyPaths?.()).toEqual(['a', 'a[0].b', 'a[0].b', 'c']);
    expect(parseJson('{"a":1}').keyPaths).toBeUndefined();
  });

  const failures = [
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['nul', 'unexpected end of JSON input'],
    ['nulx', "invalid character 'x' in literal null (expecting 'l')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['{"a":1e400}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['[-1e999]', 'json: cannot unmarshal number -1e999 into Go value of type float64'],
  ] as const;
  it.each(failures)("rejects %j with Go's message", (text, message) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ name: 'JsonError', message }));
  });

  it('limits the depth, in linear time', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => parseJson(deep(1_001))).toThrow('exceeded max depth');
    expect(() => parseJson('{"a":'.repeat(600_000))).toThrow('exceeded max depth');
    expect(() => parseJson('['.repeat(3_000_000))).toThrow('exceeded max depth');
    expect(parseJson(deep(1_000)).duplicateKeys).toEqual([]);
    expect(() => parseJson(deep(4), { maxDepth: 3 })).toThrow('exceeded max depth');
  });

  it.each(['{"__proto__":{"polluted":1}}', '{"n":9007199254740993,"__proto__":{"polluted":1}}'])(
    'keeps __proto__ as an ordinary key: %s',
    (text) => {
      const value = parseJsonValue(text);
      expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(stringifyJson(value)).toBe(text);
    },
  );

  it('round-trips values with the native and the exact parser', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const anyJson = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        // As in Go, a large double without a fraction is encoded as an integer and is parsed as one.
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
        integer,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('a:b"')), tie('value'), {
          maxKeys: 4,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 2), (value, indent) => {
        const text = stringifyJson(value, { indent });
        const read = parseJson(text);
        expect(read.duplicateKeys).toEqual([]);
        expect(deepEqual(read.value, value)).toBe(true);
        expect(deepEqual(new ExactReader(text, 100).read(), value)).toBe(true);
      }),
    );
  });

  it('accepts and rejects the same texts as the native parser', () => {
    const anyTokens = fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:01.-e+tru\\ n')), maxLength: 12 });
    fc.assert(
      fc.property(anyTokens, (text) => {
        const attempt = (parse: () => unknown): unknown[] => {
          try {
            return [parse()];
          } catch {
            return [];
          }
        };
        const native = attempt(() => JSON.parse(text));
        expect(attempt(() => parseJsonValue(text)).length).toBe(native.length);
        expect(attempt(() => new ExactReader(text, 100).read())).toEqual(native);
      }),
      { numRuns: 2_000 },
    );
  });
});
