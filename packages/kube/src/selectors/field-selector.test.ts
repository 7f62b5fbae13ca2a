import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldSelector, parseFieldSelector } from './field-selector.js';

describe('parseFieldSelector', () => {
  it.each([
    ['', []],
    ['metadata.name=x', [{ field: 'metadata.name', operator: '=', value: 'x' }]],
    ['metadata.name==x', [{ field: 'metadata.name', operator: '=', value: 'x' }]],
    ['a!=b,', [{ field: 'a', operator: '!=', value: 'b' }]],
    ['a=b\\,c\\=d\\\\', [{ field: 'a', operator: '=', value: 'b,c=d\\' }]],
    [
      'b=1,a=',
      [
        { field: 'a', operator: '=', value: '' },
        { field: 'b', operator: '=', value: '1' },
      ],
    ],
  ])('parses %j', (text, requirements) => {
    expect(parseFieldSelector(text).requirements).toEqual(requirements);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=1,b', "invalid selector: 'a=1,b'; can't understand 'b'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('rejects %j', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ name: 'SelectorError', message }));
  });

  it('matches the values of the object', () => {
    const selector = parseFieldSelector('metadata.name=x,status.phase!=Failed');
    expect(selector.matches((field) => (field === 'metadata.name' ? 'x' : ''))).toBe(true);
    expect(selector.matches((field) => (field === 'metadata.name' ? 'x' : 'Failed'))).toBe(false);
    expect(selector.exactValue('metadata.name')).toBe('x');
    expect(selector.exactValue('status.phase')).toBeUndefined();
  });

  it('round-trips any value', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=' as const, '!=' as const), (value, operator) => {
        const selector = new FieldSelector([{ field: 'a', operator, value }]);
        expect(parseFieldSelector(selector.toString())).toEqual(selector);
      }),
    );
  });
});
