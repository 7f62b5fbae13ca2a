/** A part of Go's text/template that is enough for files: actions, conditions, `with`, comments and trimming. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with';
      readonly pipeline: Pipeline;
      readonly then: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Commands joined by `|`; each but the first gets the value of the one before as its last operand. */
export type Pipeline = readonly (readonly Operand[])[];

export type Operand =
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly fromRoot: boolean }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'group'; readonly pipeline: Pipeline };

export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

const depthMax = 64;
const spaces = /[ \t\r\n]/;

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly text: string };

export function parseTemplate(template: string): readonly Node[] {
  const cursor = { pieces: split(template), at: 0 };
  const { nodes, end } = parseList(cursor, 0);
  if (end !== undefined) throw new TemplateError(`unexpected {{${end.slice(0, 4).trim()}}}`);
  return nodes;
}

/** Text and actions in turn, with the white space gone that `{{-` and `-}}` take away. */
function split(template: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = 0;
  let trimNext = false;
  while (rest < template.length) {
    const open = template.indexOf('{{', rest);
    const before = template.slice(rest, open === -1 ? undefined : open);
    const trimHere = open !== -1 && template[open + 2] === '-' && spaces.test(template[open + 3] ?? '');
    pieces.push({ kind: 'text', text: trimmed(before, trimNext, trimHere) });
    if (open === -1) break;
    const close = closingOf(template, open + 2);
    const inside = template.slice(open + (trimHere ? 3 : 2), close);
    trimNext = inside.endsWith('-') && spaces.test(inside.at(-2) ?? '');
    pieces.push({ kind: 'action', text: (trimNext ? inside.slice(0, -1) : inside).trim() });
    rest = close + 2;
  }
  return pieces;
}

function trimmed(text: string, start: boolean, end: boolean): string {
  const left = start ? text.replace(/^[ \t\r\n]+/, '') : text;
  return end ? left.trimEnd() : left;
}

/** The `}}` that ends an action; those inside quotes and comments do not count. */
function closingOf(template: string, from: number): number {
  const comment = /^(?:-\s)?\/\*/.exec(template.slice(from, from + 5));
  if (comment !== null) {
    const end = template.indexOf('*/', from);
    const close = end === -1 ? -1 : template.indexOf('}}', end);
    if (close === -1) throw new TemplateError('unclosed comment');
    return close;
  }
  let quote = '';
  for (let at = from; at < template.length; at += 1) {
    const character = template[at] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote !== '`') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === '`' || character === "'") quote = character;
    else if (character === '}' && template[at + 1] === '}') return at;
  }
  throw new TemplateError('unclosed action');
}

interface Cursor {
  readonly pieces: readonly Piece[];
  at: number;
}

/** Nodes up to the action that ends them, which is given back: `end`, `else` or `else if …`. */
function parseList(cursor: Cursor, depth: number): { readonly nodes: Node[]; readonly end?: string } {
  if (depth > depthMax) throw new TemplateError(`conditions are nested deeper than ${depthMax}`);
  const nodes: Node[] = [];
  while (cursor.at < cursor.pieces.length) {
    const piece = cursor.pieces[cursor.at];
    cursor.at += 1;
    if (piece === undefined) break;
    if (piece.kind === 'text') {
      if (piece.text !== '') nodes.push(piece);
    } else if (/^(?:end|else)\b/.test(piece.text)) return { nodes, end: piece.text };
    else nodes.push(...parseAction(piece.text, cursor, depth));
  }
  return { nodes };
}

function parseAction(action: string, cursor: Cursor, depth: number): Node[] {
  if (action.startsWith('/*')) return [];
  const [, keyword = '', rest = ''] = /^([a-z]+)\b\s*([\s\S]*)$/.exec(action) ?? [];
  if (keyword === 'if' || keyword === 'with') return [parseCondition(keyword, rest, cursor, depth)];
  if (['range', 'template', 'define', 'block', 'break', 'continue'].includes(keyword))
    throw new TemplateError(`{{${keyword}}} is not supported in files`);
  return [{ kind: 'print', pipeline: parsePipeline(action) }];
}

function parseCondition(kind: 'if' | 'with', condition: string, cursor: Cursor, depth: number): Node {
  const pipeline = parsePipeline(condition);
  const then = parseList(cursor, depth + 1);
  if (then.end === undefined) throw new TemplateError(`unexpected EOF: {{${kind}}} without {{end}}`);
  if (then.end === 'end') return { kind, pipeline, then: then.nodes, otherwise: [] };
  const [, chained, next = ''] = /^else\s+(if|with)\b\s*([\s\S]*)$/.exec(then.end) ?? [];
  if (chained === 'if' || chained === 'with')
    return { kind, pipeline, then: then.nodes, otherwise: [parseCondition(chained, next, cursor, depth + 1)] };
  const otherwise = parseList(cursor, depth + 1);
  if (then.end !== 'else' || otherwise.end !== 'end') throw new TemplateError(`{{else}} without {{end}}`);
  return { kind, pipeline, then: then.nodes, otherwise: otherwise.nodes };
}

const tokenForm =
  /\s*(?:(?<text>"(?:[^"\\\n]|\\.)*")|(?<raw>`[^`]*`)|(?<number>-?\d{1,15}(?:\.\d{1,15})?)|(?<field>\$?(?:\.[A-Za-z_]\w*)+)|(?<dot>\$|\.)|(?<word>[A-Za-z_]\w*)|(?<mark>[()|]))/uy;

function parsePipeline(source: string): Pipeline {
  const tokens = tokensOf(source);
  const pipeline = readPipeline(tokens, 0);
  if (tokens.length > 0) throw new TemplateError('unexpected ")"');
  return pipeline;
}

type Token = Readonly<Partial<Record<'text' | 'raw' | 'number' | 'field' | 'dot' | 'word' | 'mark', string>>>;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const whole = source.trim();
  tokenForm.lastIndex = 0;
  while (tokenForm.lastIndex < whole.length) {
    const at = tokenForm.lastIndex;
    const match = tokenForm.exec(whole);
    if (match?.groups === undefined) throw new TemplateError(`unexpected character ${at + 1} of an action`);
    tokens.push(match.groups);
  }
  return tokens;
}

function readPipeline(tokens: Token[], depth: number): Pipeline {
  if (depth > depthMax) throw new TemplateError(`parentheses are nested deeper than ${depthMax}`);
  const commands: Operand[][] = [[]];
  while (tokens.length > 0 && tokens[0]?.mark !== ')') {
    const token = tokens.shift() ?? {};
    if (token.mark === '|') commands.push([]);
    else if (token.mark === '(') {
      commands.at(-1)?.push({ kind: 'group', pipeline: readPipeline(tokens, depth + 1) });
      if (tokens.shift()?.mark !== ')') throw new TemplateError('unclosed left paren');
    } else commands.at(-1)?.push(operandOf(token));
  }
  if (commands.some((command) => command.length === 0)) throw new TemplateError('missing value for command');
  return commands;
}

const constants: Partial<Record<string, boolean | null>> = { true: true, false: false, nil: null };

function operandOf(token: Token): Operand {
  if (token.text !== undefined) return { kind: 'literal', value: unquoted(token.text) };
  if (token.raw !== undefined) return { kind: 'literal', value: token.raw.slice(1, -1) };
  if (token.number !== undefined) return { kind: 'literal', value: Number(token.number) };
  const path = token.field ?? token.dot;
  if (path !== undefined)
    return { kind: 'field', fromRoot: path.startsWith('$'), path: path.replace(/^\$/, '').split('.').filter(Boolean) };
  const word = token.word ?? '';
  const constant = Object.hasOwn(constants, word) ? constants[word] : undefined;
  return constant === undefined ? { kind: 'function', name: word } : { kind: 'literal', value: constant };
}

function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new TemplateError('invalid string literal');
  }
}
