import { describe, expect, it } from 'vitest';
import { type ClassVariable, conflictingVariables, mergeVariables } from './class-variables.js';

const variable = (name: string, schema: object, required = false): ClassVariable =>
  ({ name, required, schema: { openAPIV3Schema: schema } }) as ClassVariable;
const text = { type: 'string' };

describe('variables of a class', () => {
  it('are sorted by name, with all their definitions', () => {
    const merged = mergeVariables([
      { from: 'inline', variables: [variable('b', text), variable('a', text)] },
      { from: 'patch', variables: [variable('a', text), variable('c', text)] },
    ]);
    expect(merged.map(({ name, definitions }) => [name, definitions.map(({ from }) => from)])).toEqual([
      ['a', ['inline', 'patch']],
      ['b', ['inline']],
      ['c', ['patch']],
    ]);
    expect(conflictingVariables(merged)).toEqual([]);
  });

  it.each([
    ['the same', variable('a', text), variable('a', text), false],
    ['another type', variable('a', text), variable('a', { type: 'integer' }), true],
    ['required here and not there', variable('a', text, true), variable('a', text), true],
    ['a flag that is off', variable('a', text), variable('a', { ...text, 'x-kubernetes-int-or-string': false }), false],
    [
      'a flag that is off, further in',
      variable('a', { type: 'array', items: { type: 'array', items: text } }),
      variable('a', { type: 'array', items: { type: 'array', items: text, uniqueItems: false } }),
      false,
    ],
    [
      'a default that looks like a flag',
      variable('a', { type: 'object', default: { uniqueItems: false } }),
      variable('a', { type: 'object', default: {} }),
      true,
    ],
  ])('reports conflicts: %s', (_name, first, second, isConflict) => {
    const merged = mergeVariables([
      { from: 'inline', variables: [first] },
      { from: 'patch', variables: [second] },
    ]);
    expect(conflictingVariables(merged)).toEqual(isConflict ? ['a'] : []);
    expect(merged[0]?.definitionsConflict).toBe(isConflict);
  });
});
