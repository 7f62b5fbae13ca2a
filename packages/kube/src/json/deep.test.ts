import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson, deepEqual, deepFreeze } from './deep.js';
import { getKey, setKey } from './set-key.js';
import { stringifyJson } from './stringify-json.js';
import { parseJsonValue } from './parse-json.js';

describe('deepEqual', () => {
  const rows: [unknown, unknown, boolean][] = [
    [1, 1n, true],
    [9007199254740993n, 9007199254740992, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{}, { a: undefined }, true],
    [{ a: undefined, b: 1 }, { b: 1, c: undefined }, true],
    [{ a: undefined }, { b: 1 }, false],
    [{ a: null }, {}, false],
    [[], {}, false],
    [[1], [1, 2], false],
    ['1', 1, false],
    [null, {}, false],
    [{}, JSON.parse('{"__proto__":{}}'), false],
    [JSON.parse('{"__proto__":{}}'), {}, false],
    [{ constructor: 1 }, {}, false],
  ];
  it.each(rows)('compares %o and %o: %s', (left, right, equal) => {
    expect(deepEqual(left, right)).toBe(equal);
    expect(deepEqual(right, left)).toBe(equal);
  });
});

describe('cloneJson', () => {
  it('copies every level and keeps arbitrary keys', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        const frozen = deepFreeze(parseJsonValue(JSON.stringify(value)));
        const copy = cloneJson(frozen);
        expect(deepEqual(copy, frozen)).toBe(true);
        expect(Object.isFrozen(copy)).toBe(false);
      }),
    );
    const hostile = parseJsonValue('{"__proto__":{"a":1}}');
    expect(stringifyJson(cloneJson(hostile))).toBe('{"__proto__":{"a":1}}');
  });
});

describe('deepFreeze', () => {
  it('freezes below arrays and objects', () => {
    const value = deepFreeze({ a: [{ b: 1 }] });
    expect(Object.isFrozen(value.a[0])).toBe(true);
  });
});

describe('setKey', () => {
  it('never changes the prototype', () => {
    const target: Record<string, unknown> = {};
    setKey(target, '__proto__', { a: 1 });
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(getKey(target, '__proto__')).toEqual({ a: 1 });
    expect(getKey(target, 'constructor')).toBeUndefined();
  });
});

describe('stringifyJson', () => {
  it.each([
    [{ a: 9007199254740993n, b: [undefined, 1n], c: undefined, d: {}, e: [] }, 0],
    [{ a: { b: [1, 2n] } }, 2],
  ])('encodes bigints as plain integers: %o', (value, indent) => {
    const expected = JSON.stringify(
      value,
      (_key, item: unknown) => (typeof item === 'bigint' ? `#${item}#` : item),
      indent,
    );
    expect(stringifyJson(value, { indent })).toBe(expected.replaceAll(/"#(\d+)#"/g, '$1'));
  });
  it('rejects cycles', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => stringifyJson(cycle)).toThrow(TypeError);
  });
});
