import { describe, expect, it } from 'vitest';
import { MissingVariablesError, processTemplate, templateVariables } from './process-template.js';
import { expressions } from './expressions.js';

const values: Readonly<Record<string, string>> = expressions.values;
const lookup = (name: string): string | undefined => values[name];

describe('a template', () => {
  it.each(expressions.rows)('$text', ({ text, then }) => expect(processTemplate(text, lookup)).toBe(then));

  it.each(expressions.refused)('rejects $text', ({ text, expected }) => {
    expect(() => processTemplate(text, lookup)).toThrow(expected);
  });

  it('reports the line of a syntax error', () => {
    expect(() => processTemplate('a: 1\nb: ${C\n', lookup)).toThrow('line 2: missing closing brace: ${C');
  });

  it('reports all unset variables together, in order', () => {
    const run = (): string => processTemplate('${ZONE} ${ABSENT} ${NAME} ${OTHER:=x} ${SIZE^^}', lookup);
    expect(run).toThrow(MissingVariablesError);
    expect(run).toThrow(
      'value for variables [ABSENT, SIZE, ZONE] is not set. Please set the value using os environment variables or the clusterctl config file',
    );
  });

  it('treats an empty value as set, and as unset if there is a default [14.45]', () => {
    const empty = (): string => '';
    expect(processTemplate('[${NAME}] [${NAME:=x}] [${NAME:-y}]', empty)).toBe('[] [x] [y]');
  });

  it('treats any operand as a default [14.45]', () => {
    expect(processTemplate('[${ABSENT:0:3}] [${ABSENT/a/b}] [${ABSENT#x}]', () => undefined)).toBe('[] [] []');
  });
});

describe('the variables of a template', () => {
  const rows = [
    { text: 'no variables, $$ {A}', then: [] },
    { text: '${B} ${A:=1} ${C:=}', then: [{ name: 'A', default: '1' }, { name: 'B' }, { name: 'C' }] },
    { text: '${A:=${B}-x}', then: [{ name: 'A', default: '${B}-x' }] },
    { text: '${A} ${A:=1}', then: [{ name: 'A' }] },
    { text: '${ A } $${B}', then: [{ name: 'A' }] },
  ];
  it.each(rows)('$text', ({ text, then }) => expect(templateVariables(text)).toEqual(then));
});
