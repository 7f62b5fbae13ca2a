import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MissingVariablesError, processTemplate, TemplateSyntaxError, templateVariables } from './index.js';

const operators = [
  '$',
  '${',
  '$${',
  '{',
  '}',
  ':=',
  ':-',
  '=',
  '-',
  ':',
  '/',
  '//',
  '#',
  '##',
  '%',
  ',',
  ',,',
  '^',
  '^^',
];
const others = ['A', 'B_1', '1', '*', '?', '[a-', '\\', '"', "'", ' ', '\n'];
/** Random texts built from syntax tokens, so that many are nearly valid. */
const template = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...operators, ...others) }, fc.string({ maxLength: 5 })), {
    maxLength: 25,
  })
  .map((pieces) => pieces.join(''));
const values = fc.dictionary(fc.constantFrom('A', 'B_1'), fc.string({ maxLength: 12 }));

/** Returns the result or an expected error. Any other error is a bug and is thrown. */
function resultOf<T>(read: () => T): T | TemplateSyntaxError | MissingVariablesError {
  try {
    return read();
  } catch (error) {
    if (error instanceof TemplateSyntaxError || error instanceof MissingVariablesError) return error;
    throw error;
  }
}

it('substitutes any text, or rejects it with one of two errors', () => {
  fc.assert(
    fc.property(template, values, (text, given) => {
      const result = resultOf(() =>
        processTemplate(text, (name) => (Object.hasOwn(given, name) ? given[name] : undefined)),
      );
      const variables = resultOf(() => templateVariables(text));
      // Substitution and variable listing must accept the same texts.
      expect(result instanceof TemplateSyntaxError).toBe(variables instanceof TemplateSyntaxError);
    }),
  );
});

it('keeps a text without a dollar sign unchanged', () => {
  const plain = template.map((text) => text.replaceAll('$', ''));
  fc.assert(
    fc.property(plain, (text) => {
      expect(processTemplate(text, () => undefined)).toBe(text);
    }),
  );
});
