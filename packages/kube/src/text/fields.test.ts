import { describe, expect, it } from 'vitest';
import {
  ensureFields,
  ensureList,
  fieldsOf,
  integerAt,
  itemsOf,
  listAt,
  numberOf,
  recordAt,
  textAt,
  textOf,
  textsAt,
  valueAt,
} from './fields.js';

describe('readers of untyped fields', () => {
  const object = { spec: { name: 'a', replicas: 3, large: 4n, half: 1.5, names: ['x', 1, 'y'], empty: null } };

  it('reads the value at a path', () => {
    expect(valueAt(object)).toBe(object);
    expect(textAt(object, 'spec', 'name')).toBe('a');
    expect([integerAt(object, 'spec', 'replicas'), integerAt(object, 'spec', 'large')]).toEqual([3, 4]);
    expect(textsAt(object, 'spec', 'names')).toEqual(['x', 'y']);
    expect(listAt(object, 'spec', 'names')).toHaveLength(3);
    expect(recordAt(object, 'spec')).toBe(object.spec);
  });

  it('treats a value of another type, and everything below it, as absent', () => {
    expect([textAt(object, 'spec', 'replicas'), textAt(object, 'spec', 'name', 'x')]).toEqual(['', '']);
    expect(integerAt(object, 'spec', 'half')).toBeUndefined();
    expect(recordAt(object, 'spec', 'names')).toBeUndefined();
    expect(valueAt(object, 'spec', 'empty', 'x')).toBeUndefined();
    expect([fieldsOf([]), itemsOf({}), textOf(1), numberOf('1')]).toEqual([{}, [], '', 0]);
  });

  it('does not read inherited properties', () => {
    expect(valueAt(object, 'constructor')).toBeUndefined();
    expect(valueAt(object, '__proto__', 'toString')).toBeUndefined();
  });

  it('creates absent objects and lists', () => {
    const parent: Record<string, unknown> = { spec: 'wrong' };
    ensureFields(parent, 'spec')['a'] = 1;
    ensureList(ensureFields(parent, 'spec'), 'items').push(2);
    expect(parent).toEqual({ spec: { a: 1, items: [2] } });
  });
});
