import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepEqual, parseJsonValue } from '../json/index.js';
import { parseYaml, parseYamlDocuments, parseYamlValue } from './parse-yaml.js';
import { stringifyYaml } from './stringify-yaml.js';

describe('parseYaml', () => {
  it.each([
    ['a: on\nb: off\nc: yes\nd: No\ne: y\nf: "on"', { a: true, b: false, c: true, d: false, e: true, f: 'on' }],
    ['a: 0777\nb: 0o17\nc: 0x1F\nd: 08\ne: 1_000\nf: 0b11', { a: 511, b: 15, c: 31, d: 8, e: 1000, f: 3 }],
    ['a: 1:30\nb: 2001-01-01\nc: 190:20:30', { a: '1:30', b: '2001-01-01', c: '190:20:30' }],
    ['a: 1e3\nb: 1.50\nc: 1e400\nd: .5', { a: 1000, b: 1.5, c: '1e400', d: 0.5 }],
    ['a: 9007199254740993\nb: 18446744073709551616', { a: 9007199254740993n, b: 18446744073709552000 }],
    ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
    ['on: 1\n2: x\n1.5: z', { true: 1, 2: 'x', '1.5': 'z' }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
    ['a: !!str 12\nb: !!binary aGk=\nc: !custom x', { a: '12', b: 'hi', c: 'x' }],
    ['x: &x {a: 1, b: 2}\nq:\n  b: 3\n  <<: *x', { x: { a: 1, b: 2 }, q: { b: 3, a: 1 } }],
    ['x: &x {a: 1}\nz: &z {a: 2, c: 3}\nq:\n  <<: [*x, *z]', { x: { a: 1 }, z: { a: 2, c: 3 }, q: { a: 1, c: 3 } }],
    ['a: &a [1]\nb: *a', { a: [1], b: [1] }],
    ['{"a": 1, "b": [2]}', { a: 1, b: [2] }],
    ['{a: 1, b: [x]}', { a: 1, b: ['x'] }],
    ['', null],
    ['# nothing', null],
  ])('parses %j', (text, value) => {
    expect(parseYaml(text)).toEqual({ value, duplicateKeys: [] });
  });

  it('reports duplicate keys with their paths and uses the last value', () => {
    expect(parseYaml('spec:\n  items:\n  - q: 1\n    q: 2\na: 1\na: 3')).toEqual({
      value: { spec: { items: [{ q: 2 }] }, a: 3 },
      duplicateKeys: ['spec.items[0].q', 'a'],
    });
  });

  it.each([
    ['a: [1', /^error converting YAML to JSON: yaml: line 1: /],
    ['a: b\nc: d: e', /yaml: line 2: /],
    ['a: *b', /yaml: .*b/],
    ['a: &a [*a]', /anchor 'a' value contains itself/],
    ['a: .inf', /json: unsupported value: \+Inf/],
    ['? [a]\n: b', /unsupported map key/],
    ['<<: 1', /map merge requires map or sequence of maps as the value/],
    ['a:\n\t- b', /yaml: line/],
  ])('rejects %j', (text, message) => {
    expect(() => parseYaml(text)).toThrow(message);
  });

  it.each([
    [
      'nested aliases (billion laughs)',
      [
        'a: &a x',
        ...'bcdefghijk'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(10)}]`),
      ].join('\n'),
      'excessive aliasing',
    ],
    ['many aliases of a long string', `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(100)}]`, 'excessive aliasing'],
    ['flow depth', '['.repeat(1_000_000), 'exceeded max depth'],
    ['block depth', '- '.repeat(100_000), 'exceeded max depth'],
    ['JSON depth', '{"a":'.repeat(100_000), 'exceeded max depth'],
  ])('limits %s', (_name, text, message) => {
    expect(() => parseYaml(text)).toThrow(message);
  });

  it('limits the number of tokens', () => {
    expect(() => parseYaml('- a\n'.repeat(1000), { maxTokens: 1000 })).toThrow('document is too complex');
  });

  it('parses every depth within the limit', () => {
    const depth = 240;
    expect(JSON.stringify(parseYamlValue(`${'['.repeat(depth)}${']'.repeat(depth)}`)).length).toBe(2 * depth);
  });

  it('treats __proto__ as an ordinary key', () => {
    const value = parseYamlValue('__proto__:\n  polluted: 1\na: {<<: {__proto__: {b: 1}}}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('parses manifests of several documents and omits empty ones', () => {
    const documents = parseYamlDocuments('---\na: 1\n---\n# nothing\n---\nb: 2\n...\n');
    expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe('stringifyYaml', () => {
  it('formats like kubectl', () => {
    const object = {
      metadata: { name: 'a', creationTimestamp: '2024-01-02T03:04:05Z', labels: { k10: 'on', k2: '123' } },
      kind: 'ConfigMap',
      list: [{ b: 1, a: ['x', 2n] }],
      empty: {},
      none: [],
      text: 'a\nb\n',
      nothing: null,
    };
    expect(stringifyYaml(object)).toBe(`empty: {}
kind: ConfigMap
list:
- a:
  - x
  - 2
  b: 1
metadata:
  creationTimestamp: "2024-01-02T03:04:05Z"
  labels:
    k2: "123"
    k10: "on"
  name: a
none: []
nothing: null
text: |
  a
  b
`);
  });

  it('handles any depth', () => {
    const levels = 1000;
    const deep = parseJsonValue(`${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`);
    expect(deepEqual(JSON.parse(stringifyYaml(deep)), deep)).toBe(true);
  });

  it('round-trips any value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('on', 'y', '1', '0x1', '~', '<<', '1:30', '2001-01-01', '1_0', ' a', 'a: b', '- x', '0o7', '1e3'),
    );
    const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(text, anyValue), (value) => {
        expect(deepEqual(parseYamlValue(stringifyYaml(value)), value)).toBe(true);
      }),
    );
  });
});
