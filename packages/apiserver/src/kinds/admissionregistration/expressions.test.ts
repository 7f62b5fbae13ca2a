import { describe, expect, it } from 'vitest';
import { formatFieldError } from '@slipway/kube';
import { policyExpressions, validateExpression } from './expressions.js';

const options = { params: false, authorizer: true };

describe('CEL expressions of admission', () => {
  it.each([
    ['accepts an expression that compiles', 'object.metadata.name == "x"', 'condition', []],
    ['accepts an absent expression', '', 'condition', []],
    [
      'rejects another result type',
      '"text"',
      'condition',
      ['x: Invalid value: "\\"text\\"": must evaluate to bool but got string'],
    ],
    [
      'rejects an undeclared variable',
      'params.x == 1',
      'condition',
      [
        `x: Invalid value: "params.x == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^`,
      ],
    ],
  ] as const)('%s', (_name, text, role, errors) => {
    expect(validateExpression('x', text, role, options).map(formatFieldError)).toEqual(errors);
  });

  it('lets variables use earlier variables', () => {
    const variables = [
      { name: 'a', expression: '1' },
      { name: 'b', expression: 'variables.a + 1' },
      { name: 'c', expression: 'variables.d' },
    ];
    const { errors, options: known } = policyExpressions({ variables });
    expect(errors.map((error) => error.field)).toEqual(['spec.variables[2].expression']);
    expect(validateExpression('x', 'variables.b == 2', 'condition', known)).toEqual([]);
  });
});
