import type { Expression, FieldEntry, MapEntry } from './ast.js';
import { Operator } from './ast.js';
import { type Token, SyntaxProblem, tokenize } from './lexer.js';
import { expandMacro } from './macros.js';
import { NodeFactory } from './node-factory.js';
import { CompileError } from './source.js';
import { unescapeLiteral } from './unescape.js';

const CODE_POINTS_MAX = 100_000;
/** The nesting limit of the text, so that the parser does not overflow the stack. */
const DEPTH_MAX = 250;

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

const RELATIONS: ReadonlyMap<string, string> = new Map([
  ['<', Operator.less],
  ['<=', Operator.lessEquals],
  ['>', Operator.greater],
  ['>=', Operator.greaterEquals],
  ['==', Operator.equals],
  ['!=', Operator.notEquals],
  ['in', Operator.in],
]);
const SUMS: ReadonlyMap<string, string> = new Map([
  ['+', Operator.add],
  ['-', Operator.subtract],
]);
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['*', Operator.multiply],
  ['/', Operator.divide],
  ['%', Operator.modulo],
]);

const OPERAND_EXPECTED =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Parses and expands macros. Throws only CompileError for an invalid expression. */
export function parse(source: string): Expression {
  if (source.length > CODE_POINTS_MAX) {
    const size = Array.from(source).length;
    const message = `expression code point size exceeds limit: size: ${size}, limit ${CODE_POINTS_MAX}`;
    if (size > CODE_POINTS_MAX) throw new CompileError(source, [{ offset: -1, message }]);
  }
  const { tokens, issues } = tokenize(source);
  try {
    const root = new Parser(tokens).parseAll();
    if (issues.length > 0) throw new CompileError(source, issues);
    return root;
  } catch (problem) {
    if (problem instanceof SyntaxProblem) throw new CompileError(source, [...issues, problem.issue]);
    throw problem;
  }
}

class Parser {
  private position = 0;
  private depth = 0;
  private readonly make = new NodeFactory();

  constructor(private readonly tokens: readonly Token[]) {}

  parseAll(): Expression {
    const expression = this.expression();
    const rest = this.peek();
    // A single unexpected token is reported as extraneous, several as a mismatch.
    const isLast = this.tokens[this.position + 1]?.kind === 'end';
    if (rest.kind !== 'end')
      this.fail(rest, `${isLast ? 'extraneous' : 'mismatched'} input '${rest.text}' expecting <EOF>`);
    return expression;
  }

  private peek(): Token {
    return this.tokens[this.position] ?? { kind: 'end', text: '<EOF>', offset: 0 };
  }

  private next(): Token {
    const token = this.peek();
    this.position += 1;
    return token;
  }

  private at(text: string): boolean {
    const token = this.peek();
    return token.kind === 'operator' && token.text === text;
  }

  private accept(text: string): Token | undefined {
    return this.at(text) ? this.next() : undefined;
  }

  private expect(text: string, expected = `'${text}'`): Token {
    const token = this.peek();
    if (!this.at(text)) this.fail(token, `mismatched input '${token.text}' expecting ${expected}`);
    return this.next();
  }

  private fail(token: Token, message: string): never {
    throw new SyntaxProblem({ offset: token.offset, message: `Syntax error: ${message}` });
  }

  private problem(offset: number, message: string): never {
    throw new SyntaxProblem({ offset, message });
  }

  private expression(): Expression {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) this.problem(-1, `Internal error: expression recursion limit exceeded: ${DEPTH_MAX}`);
    const condition = this.logical('||', Operator.or, () =>
      this.logical('&&', Operator.and, () => this.binary(RELATIONS, () => this.sum())),
    );
    const question = this.accept('?');
    const result = question === undefined ? condition : this.conditional(question.offset, condition);
    this.depth -= 1;
    return result;
  }

  private conditional(offset: number, condition: Expression): Expression {
    const whenTrue = this.logical('||', Operator.or, () =>
      this.logical('&&', Operator.and, () => this.binary(RELATIONS, () => this.sum())),
    );
    this.expect(':');
    const whenFalse = this.expression();
    return this.make.call(offset, Operator.conditional, [condition, whenTrue, whenFalse]);
  }

  /** `a && b && c` becomes one call with three arguments: the operators are associative, and the tree stays flat. */
  private logical(text: string, operator: string, operand: () => Expression): Expression {
    const first = operand();
    if (!this.at(text)) return first;
    const offset = this.peek().offset;
    const terms = [first];
    while (this.accept(text) !== undefined) terms.push(operand());
    return this.make.call(offset, operator, terms);
  }

  private binary(operators: ReadonlyMap<string, string>, operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const token = this.peek();
      const isOperator = token.kind === 'operator' || (token.kind === 'identifier' && token.text === 'in');
      const operator = isOperator ? operators.get(token.text) : undefined;
      if (operator === undefined) return left;
      this.next();
      left = this.make.call(token.offset, operator, [left, operand()]);
    }
  }

  private sum(): Expression {
    return this.binary(SUMS, () => this.binary(PRODUCTS, () => this.unary()));
  }

  private unary(): Expression {
    const first = this.peek();
    if (this.at('!')) {
      const count = this.countOf('!');
      const operand = this.member();
      return count % 2 === 0 ? operand : this.make.call(first.offset, Operator.not, [operand]);
    }
    if (!this.at('-')) return this.member();
    const count = this.countOf('-');
    const number = this.peek();
    // A single minus before a number belongs to the literal, because 9223372036854775808 without it is out of range.
    if (count === 1 && (number.kind === 'int' || number.kind === 'double')) return this.member(first);
    const operand = this.member();
    return count % 2 === 0 ? operand : this.make.call(first.offset, Operator.negate, [operand]);
  }

  private countOf(text: string): number {
    let count = 0;
    while (this.accept(text) !== undefined) count += 1;
    return count;
  }

  private member(minus?: Token): Expression {
    let operand = minus === undefined ? this.primary() : this.number(this.next(), minus);
    for (;;) {
      if (this.at('.')) operand = this.selection(operand);
      else if (this.at('[')) operand = this.index(operand);
      else return operand;
    }
  }

  private selection(operand: Expression): Expression {
    const dot = this.next();
    const optional = this.accept('?') !== undefined;
    const name = this.next();
    if (name.kind === 'escaped') this.problem(name.offset, "unsupported syntax: '`'");
    if (name.kind !== 'identifier')
      this.fail(name, `no viable alternative at input '.${name.kind === 'end' ? '' : name.text}'`);
    if (name.text === 'in') this.fail(name, "no viable alternative at input '.in'");
    if (/^(true|false|null)$/.test(name.text)) this.fail(name, `mismatched input '${name.text}' expecting IDENTIFIER`);
    if (optional) {
      const field = this.make.literal(name.offset, { type: 'string', value: name.text });
      return this.make.call(dot.offset, Operator.optionalSelect, [operand, field]);
    }
    if (!this.at('(')) return this.make.select(dot.offset, operand, name.text);
    return this.finishCall(name.text, this.next().offset, operand);
  }

  private index(operand: Expression): Expression {
    const open = this.next();
    const optional = this.accept('?') !== undefined;
    const index = this.expression();
    this.expect(']');
    return this.make.call(open.offset, optional ? Operator.optionalIndex : Operator.index, [operand, index]);
  }

  private finishCall(name: string, offset: number, target?: Expression): Expression {
    const args: Expression[] = [];
    if (!this.at(')')) {
      do args.push(this.expression());
      while (this.accept(',') !== undefined);
    }
    this.expect(')');
    const expanded = expandMacro(name, { make: this.make, offset, target, args });
    return expanded ?? this.make.call(offset, name, args, target);
  }

  private primary(): Expression {
    const token = this.peek();
    switch (token.kind) {
      case 'int':
      case 'uint':
      case 'double':
        return this.number(this.next());
      case 'string':
      case 'bytes':
        return this.text(this.next());
      case 'identifier':
        return this.name();
      case 'operator':
        return this.bracketed(token);
      default:
        return this.fail(token, `mismatched input '${token.text}' expecting ${OPERAND_EXPECTED}`);
    }
  }

  private bracketed(token: Token): Expression {
    if (token.text === '(') {
      this.next();
      const inner = this.expression();
      const close = this.peek();
      if (!this.at(')') && close.kind === 'end') this.fail(close, "missing ')' at '<EOF>'");
      this.expect(')');
      return inner;
    }
    if (token.text === '[') return this.list();
    if (token.text === '{') return this.map();
    if (token.text === '.') return this.name();
    return this.fail(token, `mismatched input '${token.text}' expecting ${OPERAND_EXPECTED}`);
  }

  private list(): Expression {
    const open = this.next();
    const elements: Expression[] = [];
    const optional = new Set<number>();
    while (!this.at(']')) {
      if (this.accept('?') !== undefined) optional.add(elements.length);
      elements.push(this.expression());
      if (this.accept(',') === undefined) break;
    }
    this.expect(']', "{']', ','}");
    return this.make.list(open.offset, elements, optional);
  }

  private map(): Expression {
    const open = this.next();
    const entries: MapEntry[] = [];
    while (!this.at('}')) {
      const optional = this.accept('?') !== undefined;
      const key = this.expression();
      const colon = this.expect(':');
      entries.push({ id: this.make.newId(), offset: colon.offset, key, value: this.expression(), optional });
      if (this.accept(',') === undefined) break;
    }
    this.expect('}');
    return this.make.map(open.offset, entries);
  }

  private name(): Expression {
    const dot = this.accept('.');
    const token = this.next();
    if (token.kind !== 'identifier') this.fail(token, `mismatched input '${token.text}' expecting IDENTIFIER`);
    const constant = dot === undefined ? this.constant(token) : undefined;
    if (constant !== undefined) return constant;
    if (token.text === 'in') this.fail(token, `mismatched input 'in' expecting ${OPERAND_EXPECTED}`);
    const struct = this.structNameAhead(token.text);
    if (struct !== undefined) return this.struct((dot === undefined ? '' : '.') + struct.name, struct.tokens);
    if (RESERVED.has(token.text)) this.problem(token.offset, `reserved identifier: ${token.text}`);
    const name = (dot === undefined ? '' : '.') + token.text;
    if (this.at('(')) return this.finishCall(name, this.next().offset);
    return this.make.identifier(token.offset, name);
  }

  private constant(token: Token): Expression | undefined {
    if (token.text === 'true' || token.text === 'false') return this.make.bool(token.offset, token.text === 'true');
    return token.text === 'null' ? this.make.literal(token.offset, { type: 'null' }) : undefined;
  }

  /** Looks ahead for the name of a message, as in `A.b.C{`. Without the brace the same tokens are selections. */
  private structNameAhead(first: string): { name: string; tokens: number } | undefined {
    let name = first;
    let index = this.position;
    while (this.tokens[index]?.text === '.' && this.tokens[index + 1]?.kind === 'identifier') {
      name += `.${this.tokens[index + 1]?.text ?? ''}`;
      index += 2;
    }
    const brace = this.tokens[index];
    const isStruct = brace?.kind === 'operator' && brace.text === '{';
    return isStruct ? { name, tokens: index - this.position } : undefined;
  }

  private struct(typeName: string, tokens: number): Expression {
    this.position += tokens;
    const open = this.expect('{');
    const entries: FieldEntry[] = [];
    while (!this.at('}')) {
      const optional = this.accept('?') !== undefined;
      const field = this.next();
      if (field.kind === 'escaped') this.problem(field.offset, "unsupported syntax: '`'");
      if (field.kind !== 'identifier') this.fail(field, `mismatched input '${field.text}' expecting IDENTIFIER`);
      const colon = this.expect(':');
      const value = this.expression();
      entries.push({ id: this.make.newId(), offset: colon.offset, field: field.text, value, optional });
      if (this.accept(',') === undefined) break;
    }
    this.expect('}');
    return this.make.struct(open.offset, typeName, entries);
  }

  private number(token: Token, minus?: Token): Expression {
    const offset = minus?.offset ?? token.offset;
    if (token.kind === 'double') {
      const value = Number(token.text) * (minus === undefined ? 1 : -1);
      if (!Number.isFinite(value)) this.problem(offset, 'invalid double literal');
      return this.make.literal(offset, { type: 'double', value });
    }
    if (token.kind === 'uint') {
      const value = BigInt(token.text.slice(0, -1));
      if (value > 0xffff_ffff_ffff_ffffn) this.problem(offset, 'invalid uint literal');
      return this.make.literal(offset, { type: 'uint', value });
    }
    const value = BigInt(token.text) * (minus === undefined ? 1n : -1n);
    if (value !== BigInt.asIntN(64, value)) this.problem(offset, 'invalid int literal');
    return this.make.int(offset, value);
  }

  private text(token: Token): Expression {
    const unescaped = unescapeLiteral(token.text, token.kind === 'bytes');
    if ('error' in unescaped) this.problem(token.offset, unescaped.error);
    if ('bytes' in unescaped) return this.make.literal(token.offset, { type: 'bytes', value: unescaped.bytes });
    return this.make.literal(token.offset, { type: 'string', value: unescaped.value });
  }
}
