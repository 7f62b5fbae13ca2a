import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema, ValidationRule } from '../../schema/index.js';
import { evaluateRules } from './evaluate-rules.js';

const text: Schema = { type: 'string', maxLength: 40 };
const integer: Schema = { type: 'integer' };

function withRules(schema: Schema, ...rules: readonly (ValidationRule | string)[]): Schema {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)) };
}

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

function errorsOf(schema: Schema, value: JsonValue, old?: JsonValue): string[] {
  return evaluateRules({ schema, value, old, path: '', isResource: true }).map(formatFieldError);
}

const members: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  maxItems: 10,
  items: object({ name: text, size: integer }),
};

function membersWith(rule: ValidationRule | string): Schema {
  return object({
    spec: object({ members: { ...members, items: withRules(object({ name: text, size: integer }), rule) } }),
  });
}

describe('subtle behaviours', () => {
  it('ignores an unchanged invalid subtree on update and reports it after any change in it', () => {
    const schema = object({
      spec: object({ bad: withRules(object({ a: integer, b: integer }), 'self.a > 5'), other: integer }),
    });
    const before = { spec: { bad: { a: 1, b: 1 }, other: 1 } };
    expect(errorsOf(schema, { spec: { bad: { a: 1, b: 1 }, other: 2 } }, before)).toEqual([]);
    expect(errorsOf(schema, { spec: { bad: { a: 1, b: 2 }, other: 1 } }, before)).toEqual([
      'spec.bad: Invalid value: failed rule: self.a > 5',
    ]);
    expect(errorsOf(schema, before)).toEqual(['spec.bad: Invalid value: failed rule: self.a > 5']);
  });

  it('does not run transition rules on create or on new items of a map list', () => {
    const schema = membersWith('self.size == oldSelf.size');
    const value = {
      spec: {
        members: [
          { name: 'new', size: 1 },
          { name: 'kept', size: 2 },
        ],
      },
    };
    expect(errorsOf(schema, value)).toEqual([]);
    expect(errorsOf(schema, value, { spec: { members: [{ name: 'kept', size: 3 }] } })).toEqual([
      'spec.members[1]: Invalid value: failed rule: self.size == oldSelf.size',
    ]);
  });

  it('evaluates rules on defaulted and pruned objects', () => {
    const schema = object({
      spec: withRules(
        { ...object({ a: integer }), 'x-kubernetes-preserve-unknown-fields': true },
        'self.all(key, key == "a")',
      ),
    });
    expect(errorsOf(schema, { spec: { a: 1, unknown: 2 } })).toEqual([
      expect.stringContaining("expression of type 'selfType' cannot be range of a comprehension"),
    ]);
  });

  it('runs optionalOldSelf rules on create with an empty oldSelf', () => {
    const rule = { rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self == "first"', optionalOldSelf: true };
    const schema = object({ spec: object({ a: withRules(text, rule) }) });
    expect(errorsOf(schema, { spec: { a: 'first' } })).toEqual([]);
    expect(errorsOf(schema, { spec: { a: 'second' } })).toHaveLength(1);
    expect(errorsOf(schema, { spec: { a: 'second' } }, { spec: { a: 'second' } })).toEqual([]);
    expect(errorsOf(schema, { spec: { a: 'second' } }, { spec: { a: 'first' } })).toHaveLength(1);
  });
});

describe('ratcheting of CEL rules', () => {
  it('never skips a rule that uses oldSelf', () => {
    const schema = object({ spec: object({ a: withRules(integer, 'self == oldSelf && self > 5') }) });
    expect(errorsOf(schema, { spec: { a: 1 } }, { spec: { a: 1 } })).toHaveLength(1);
  });

  it('ratchets items of an atomic list only if the whole list is unchanged', () => {
    const list: Schema = { type: 'array', maxItems: 5, items: withRules(integer, 'self > 5') };
    const schema = object({ spec: object({ list, other: integer }) });
    expect(errorsOf(schema, { spec: { list: [1, 9], other: 1 } }, { spec: { list: [1, 9] } })).toEqual([]);
    expect(errorsOf(schema, { spec: { list: [1, 9] } }, { spec: { list: [1, 8] } })).toHaveLength(1);
  });

  it('reports ignored errors to the warning callback', () => {
    const warnings: string[] = [];
    const schema = object({ spec: object({ a: withRules(integer, 'self > 5') }) });
    const value = { spec: { a: 1 } };
    evaluateRules({ schema, value, old: value, path: '', isResource: true, warn: (text) => warnings.push(text) });
    expect(warnings).toEqual(['spec.a: Invalid value: 1: failed rule: self > 5']);
  });
});

describe('integers in CEL rules', () => {
  it.each([9007199254740993n, 9223372036854775807n, -9223372036854775808n])('compares %s exactly', (value) => {
    const schema = object({ spec: object({ a: withRules(integer, `self == ${value}`) }) });
    expect(errorsOf(schema, { spec: { a: value } })).toEqual([]);
  });
});

describe('hostile names in CEL rules', () => {
  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('treats %s as an ordinary key', (name) => {
    const values: Schema = { type: 'object', maxProperties: 5, additionalProperties: withRules(integer, 'self > 5') };
    const spec = Object.fromEntries([[name, 1]]);
    expect(errorsOf(object({ spec: withRules(values, '!("toString" in self)') }), { spec })).toEqual([
      `spec[${name}]: Invalid value: 1: failed rule: self > 5`,
    ]);
  });
});

describe('CEL rules with high cost', () => {
  const numbers = Array.from({ length: 10_000 }, (_item, index) => index);
  const list: Schema = { type: 'array', items: integer };
  const words: Schema = { type: 'string' };
  const lists: Schema = { type: 'array', items: list };
  const limit = 'call cost exceeds limit for rule';

  const bombs = [
    {
      name: 'nested all over ten thousand items',
      rule: 'self.l.all(x, self.l.all(y, x >= 0 && y >= 0))',
      expected: limit,
    },
    { name: 'a list of lists', rule: 'self.l.map(x, self.l.map(y, y)).size() > 0', expected: limit },
    { name: 'distinct', rule: 'self.l.distinct().size() > 0', expected: limit },
    { name: 'sets', rule: 'sets.equivalent(self.l, self.l)', expected: limit },
    { name: 'a range', rule: 'lists.range(100000000).size() == 1', expected: limit },
    { name: 'repeated comparisons of large lists', rule: 'self.l.all(x, self.n == self.n)', expected: limit },
    { name: 'a search for a long string in another', rule: 'self.l.all(x, self.s.contains(self.s))', expected: limit },
    { name: 'a pattern with many states', rule: 'self.l.all(x, !self.s.matches("(a{1000})b"))', expected: limit },
    { name: 'a nested repetition', rule: 'self.s.matches("(a+a+)+b")', expected: 'failed rule' },
    {
      name: 'a replacement of the empty string by a long one',
      rule: 'self.s.replace("", self.s).size() > 0',
      expected: 'string too long',
    },
  ];

  it.each(bombs)('stops $name', ({ rule, expected }) => {
    const schema = object({
      spec: withRules(object({ l: list, s: words, n: lists }), { rule, message: 'm' }, 'self.l.size() == 0'),
    });
    const value = { spec: { l: numbers, s: 'a'.repeat(20_000), n: Array.from({ length: 20 }, () => numbers) } };
    const started = process.cpuUsage();
    const found = errorsOf(schema, value);
    // The evaluation takes a second. Without a limit it would take hours.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(30_000);
    expect(found[0]).toContain(expected === 'failed rule' ? 'Invalid value: m' : expected);
    // An exceeded cost limit stops the evaluation. After an ordinary error the next rule runs.
    expect(found).toHaveLength(expected === limit ? 1 : 2);
  });

  it('limits all rules of an object to a total cost of ten million', () => {
    const items: Schema = withRules(list, 'self.all(x, self.all(y, true || x == y))');
    const schema = object({ spec: object({ rows: { type: 'array', items } }) });
    const rows = Array.from({ length: 40 }, () => numbers.slice(0, 400));
    const found = errorsOf(schema, { spec: { rows } });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^spec\.rows\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget/,
    );
  });
});

describe('CEL functions on long strings', () => {
  const digits = '1'.repeat(1_000_000);
  const spaces = `a${' '.repeat(1_000_000)}b`;
  const rows = [
    ['int(self) > 0', digits],
    ['uint(self) > 0u', digits],
    ['double(self) > 0.0', `${digits}x`],
    ['duration(self) > duration("1s")', digits],
    ['duration(self) > duration("1s")', `${digits}h`],
    ['timestamp(self) > timestamp(0)', digits],
    ['isQuantity(self)', digits],
    ['isSemver(self)', `1.2.3-${digits}`],
    ['isIP(self)', '1.'.repeat(500_000)],
    ['isIP(self)', ':1'.repeat(500_000)],
    ['isURL(self)', `http://${':'.repeat(500_000)}`],
    ['isCIDR(self)', `${digits}/1`],
    ['self.trim() == ""', spaces],
    ['self.split(" ").size() == 1', spaces],
    ['format.qualifiedName().validate(self).hasValue() == false', `${'a'.repeat(1_000_000)}-`],
    ['format.dns1123Subdomain().validate(self).hasValue() == false', 'a.'.repeat(500_000)],
    ['self.lowerAscii() == "x"', digits],
    ['self.format([1]) == "x"', '%'.repeat(1_000_001)],
  ] as const;

  it.each(rows)('takes linear time: %s', (rule, value) => {
    const schema = object({ spec: withRules({ type: 'string' }, { rule, message: 'm' }) });
    const started = process.cpuUsage();
    expect(errorsOf(schema, { spec: value })).toHaveLength(1);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
  });

  it('parses a long duration of a schema', () => {
    const schema = object({ spec: withRules({ type: 'string', format: 'duration' }, 'self > duration("1s")') });
    const started = process.cpuUsage();
    errorsOf(schema, { spec: digits });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
  });
});
