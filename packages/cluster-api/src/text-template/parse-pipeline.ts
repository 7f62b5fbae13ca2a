import { TemplateError } from './template-error.js';
import type { Operand, Pipeline } from './template-nodes.js';

export const depthMax = 64;

const tokenForm =
  /(?<space>\s*)(?:(?<text>"(?:[^"\\\n]|\\.)*")|(?<raw>`[^`]*`)|(?<number>-?\d[\w.]{0,40})|(?<variable>\$\w*)|(?<field>(?:\.[A-Za-z_]\w*)+)|(?<dot>\.)|(?<word>[A-Za-z_]\w*)|(?<assign>:?=)|(?<mark>[()|,]))/uy;

type Token = Readonly<
  Partial<
    Record<'space' | 'text' | 'raw' | 'number' | 'variable' | 'field' | 'dot' | 'word' | 'assign' | 'mark', string>
  >
>;

export function parsePipeline(source: string): Pipeline {
  const tokens = tokensOf(source);
  const pipeline = readPipeline(tokens, 0);
  if (tokens.length > 0) throw new TemplateError('unexpected ")"');
  return pipeline;
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const whole = source.trim();
  tokenForm.lastIndex = 0;
  while (tokenForm.lastIndex < whole.length) {
    const at = tokenForm.lastIndex;
    const match = tokenForm.exec(whole);
    if (match?.groups === undefined) throw new TemplateError(`unexpected character at position ${at + 1} of an action`);
    tokens.push(match.groups);
  }
  return tokens;
}

function readPipeline(tokens: Token[], depth: number): Pipeline {
  if (depth > depthMax) throw new TemplateError(`parentheses are nested deeper than ${depthMax}`);
  const { variables, declares } = readVariables(tokens);
  const commands: Operand[][] = [[]];
  while (tokens.length > 0 && tokens[0]?.mark !== ')') {
    const token = tokens.shift() ?? {};
    if (token.mark === '|') commands.push([]);
    else commands.at(-1)?.push(readOperand(token, tokens, depth));
  }
  if (commands.some((command) => command.length === 0)) throw new TemplateError('missing value for command');
  return { variables, declares, commands };
}

/** Parses the variables of an assignment: `$x :=`, `$x =`, or `$i, $x :=` of a range. */
function readVariables(tokens: Token[]): Pick<Pipeline, 'variables' | 'declares'> {
  const count = tokens[1]?.mark === ',' ? 2 : 1;
  const assign = tokens[count * 2 - 1]?.assign;
  const names = [tokens[0], ...(count === 2 ? [tokens[2]] : [])].map((token) => token?.variable);
  if (assign === undefined || names.some((name) => name === undefined)) return { variables: [], declares: false };
  tokens.splice(0, count * 2);
  return { variables: names.map((name) => name ?? ''), declares: assign === ':=' };
}

function readOperand(token: Token, tokens: Token[], depth: number): Operand {
  if (token.mark === '(') {
    const pipeline = readPipeline(tokens, depth + 1);
    if (tokens.shift()?.mark !== ')') throw new TemplateError('unclosed left paren');
    return { kind: 'group', pipeline, path: readChain(tokens) };
  }
  if (token.mark !== undefined || token.assign !== undefined) {
    throw new TemplateError(`unexpected "${token.mark ?? token.assign ?? ''}" in operand`);
  }
  if (token.variable !== undefined) return { kind: 'variable', name: token.variable, path: readChain(tokens) };
  return operandOf(token);
}

/** Parses the fields that follow a variable or a parenthesis: `$x.name`, `(index .list 0).name`. */
function readChain(tokens: Token[]): readonly string[] {
  const next = tokens[0];
  if (next?.field === undefined || next.space !== '') return [];
  tokens.shift();
  return pathOf(next.field);
}

function pathOf(field: string): readonly string[] {
  return field.split('.').filter(Boolean);
}

const constants: Partial<Record<string, boolean | null>> = { true: true, false: false, nil: null };

function operandOf(token: Token): Operand {
  if (token.text !== undefined) return { kind: 'literal', value: unquoted(token.text) };
  if (token.raw !== undefined) return { kind: 'literal', value: token.raw.slice(1, -1) };
  if (token.number !== undefined) return { kind: 'literal', value: numberOf(token.number) };
  if (token.dot !== undefined) return { kind: 'field', path: [] };
  if (token.field !== undefined) return { kind: 'field', path: pathOf(token.field) };
  const word = token.word ?? '';
  const constant = Object.hasOwn(constants, word) ? constants[word] : undefined;
  return constant === undefined ? { kind: 'function', name: word } : { kind: 'literal', value: constant };
}

/** Parses a number. Whole numbers become integers, others floats. */
function numberOf(text: string): bigint | number {
  if (/^-?(\d+|0x[0-9a-fA-F]+)$/.test(text)) {
    return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  }
  const value = Number(text);
  if (Number.isNaN(value)) throw new TemplateError(`bad number syntax: "${text}"`);
  return value;
}

function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new TemplateError('invalid string literal');
  }
}
