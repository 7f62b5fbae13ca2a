import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environment } from '../checker/index.js';
import { compileProgram, ProgramError } from '../program/index.js';
import { dynType } from '../types/index.js';
import { fromJson } from '../values/index.js';
import { parse } from './parser.js';
import { CompileError } from './source.js';

const pieces = [
  'x',
  'y',
  '1',
  '1u',
  '1.5',
  '"a"',
  "b'a'",
  'r"\\"',
  '\\',
  '"',
  "'",
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '+',
  '-',
  '*',
  '/',
  '%',
  '!',
  '==',
  '!=',
  '<',
  '>=',
  '&&',
  '||',
  ' in ',
  'true',
  'null',
  '.all(x, ',
  '.map(x, ',
  'has(',
  '.?',
  '[?',
  'size(',
  '.matches(',
  'dyn(',
  'optional.of(',
  '.optMap(v, ',
  '.format(',
  'timestamp(',
  '"%s"',
  '//',
  '\n',
  ' ',
  '`a`',
  '😀',
  '0x',
  '1e',
  'Object{',
  'a: ',
];
const anyTokens = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

function isOwnError(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    return error instanceof CompileError || error instanceof ProgramError;
  }
}

describe('parsing hostile expressions', () => {
  it('throws only CompileError', () => {
    const property = fc.property(fc.oneof(fc.string({ maxLength: 200 }), anyTokens), (text) =>
      isOwnError(() => parse(text)),
    );
    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });

  it('checks, plans and evaluates valid expressions', () => {
    const env = environment([
      ['x', dynType],
      ['y', dynType],
    ]);
    const bindings = new Map([
      ['x', fromJson({ a: [1, 'b', null, { c: 2.5 }] })],
      ['y', fromJson([1, 2, 3])],
    ]);
    const run = (text: string): boolean => isOwnError(() => compileProgram(text, env).run(bindings));
    expect(() => fc.assert(fc.property(anyTokens, run), { numRuns: 3_000 })).not.toThrow();
  });

  it.each([
    ['parentheses', '('.repeat(90_000)],
    ['balanced parentheses', `${'('.repeat(40_000)}1${')'.repeat(40_000)}`],
    ['brackets', '['.repeat(99_000)],
    ['a long sum', Array.from({ length: 30_000 }, () => '1').join('+')],
    ['a long path', `x${'.a'.repeat(40_000)}`],
    ['selections of parentheses', `${'('.repeat(200)}x${'.a)'.repeat(200)}`],
    ['minus signs', `${'-'.repeat(99_000)}1`],
    ['conditions', `${'true ? 1 : '.repeat(8_000)}1`],
    ['an unterminated string', `"${'a'.repeat(99_000)}`],
    ['a text above the length limit', 'a'.repeat(100_001)],
    ['a text of syntax errors only', '#'.repeat(99_000)],
    ['a syntax error on each of many lines', '#\n'.repeat(49_000)],
  ])('neither overflows the stack nor takes long for %s', (_name, text) => {
    const started = process.cpuUsage();
    expect(isOwnError(() => parse(text))).toBe(true);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });

  it('checks many comparisons in limited time', () => {
    const text = Array.from({ length: 8_000 }, () => 'x < 1').join('||');
    const started = process.cpuUsage();
    compileProgram(text, environment([['x', dynType]]));
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});
