import { describe, expect, it } from 'vitest';
import { deepFreeze } from '@slipway/kube';
import { takeOver } from './take-over.js';

describe('takeOver', () => {
  it('copies frozen parts and nothing else', () => {
    const frozen = deepFreeze({ a: [1, { b: 2 }] });
    const own = { c: [3] };
    const object = { frozen, own, list: [frozen, own] };
    const taken = takeOver(object);
    expect(taken).toBe(object);
    expect(taken).toEqual({ frozen: { a: [1, { b: 2 }] }, own: { c: [3] }, list: [{ a: [1, { b: 2 }] }, { c: [3] }] });
    expect(taken['frozen']).not.toBe(frozen);
    expect(Object.isFrozen(taken['frozen'])).toBe(false);
    expect(taken['own']).toBe(own);
  });

  it('copies a frozen object', () => {
    const frozen = deepFreeze({ a: { b: 1 } });
    const taken = takeOver(frozen);
    expect(taken).toEqual(frozen);
    expect(taken).not.toBe(frozen);
  });

  it('drops members that are undefined', () => {
    expect(Object.keys(takeOver({ a: undefined, b: null, c: { d: undefined } }))).toEqual(['b', 'c']);
  });

  it('keeps keys such as __proto__ ordinary', () => {
    const object = JSON.parse('{"__proto__":{"a":1}}') as object;
    deepFreeze((object as Record<string, unknown>)['__proto__']);
    const value = Object.getOwnPropertyDescriptor(object, '__proto__')?.value as object;
    deepFreeze(value);
    const taken = takeOver(object);
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
    expect(JSON.stringify(taken)).toBe('{"__proto__":{"a":1}}');
  });
});
