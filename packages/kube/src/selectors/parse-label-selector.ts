import { formatFieldError, invalidField } from '../errors/field-error.js';
import { checkQualifiedName } from '../meta/name-rules.js';
import { type LabelOperator, type LabelRequirement, newLabelRequirement, SelectorError } from './label-requirement.js';
import { everyLabel, LabelSelector } from './label-selector.js';

type TokenKind = 'identifier' | 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';

interface Token {
  readonly kind: TokenKind;
  readonly literal: string;
}

const symbolTokens = new Set(['=', '==', '!', '!=', '(', ')', ',', '>', '<']);
const token = /[ \t\r\n]*(?:([=!(),><]+)|([^=!(),><\t\r\n ]+)|$)/y;

const operators = new Map<TokenKind, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);
const binaryOperatorNames = 'in, notin, =, ==, !=, gt, lt';

/** Parses `a=b,c in (d,e),!f`. Throws SelectorError with upstream's message. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return everyLabel;
  return new LabelSelector(new SelectorParser(tokenize(text)).parse());
}

function tokenize(text: string): Token[] {
  // Upstream's lexer treats NUL as the end of the text.
  const nul = text.indexOf('\0');
  const source = nul < 0 ? text : text.slice(0, nul);
  const tokens: Token[] = [];
  for (let offset = 0; offset < source.length; ) {
    token.lastIndex = offset;
    const match = token.exec(source);
    if (match === null) break;
    if (match[1] !== undefined) pushSymbols(match[1], tokens);
    else if (match[2] !== undefined) pushWord(match[2], tokens);
    offset += match[0].length;
  }
  tokens.push({ kind: 'end', literal: '' });
  return tokens;
}

/** Splits a run of symbols into operators, longest first: `!==` is `!=` and `=`. */
function pushSymbols(run: string, tokens: Token[]): void {
  for (let index = 0; index < run.length; ) {
    const two = run.slice(index, index + 2);
    const literal = two.length === 2 && symbolTokens.has(two) ? two : run.charAt(index);
    tokens.push({ kind: literal as TokenKind, literal });
    index += literal.length;
  }
}

function pushWord(literal: string, tokens: Token[]): void {
  tokens.push({ kind: literal === 'in' || literal === 'notin' ? literal : 'identifier', literal });
}

class SelectorParser {
  #position = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peekValue();
      if (next.kind === 'end') return requirements;
      if (next.kind !== 'identifier' && next.kind !== '!')
        throw new SelectorError(`found '${next.literal}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#parseRequirementOrExplain());
      if (this.#atEnd()) return requirements;
    }
  }

  #atEnd(): boolean {
    const separator = this.#takeValue();
    if (separator.kind === 'end') return true;
    if (separator.kind !== ',')
      throw new SelectorError(`found '${separator.literal}', expected: ',' or 'end of string'`);
    const next = this.#peekValue();
    if (next.kind !== 'identifier' && next.kind !== '!')
      throw new SelectorError(`found '${next.literal}', expected: identifier after ','`);
    return false;
  }

  #parseRequirementOrExplain(): LabelRequirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #parseRequirement(): LabelRequirement {
    const negated = this.#peekValue().kind === '!';
    if (negated) this.#takeValue();
    const key = this.#parseKey();
    const following = this.#peekValue().kind;
    if (negated) return newLabelRequirement(key, '!', []);
    if (following === 'end' || following === ',') return newLabelRequirement(key, 'exists', []);
    const operator = this.#parseOperator();
    const values = operator === 'in' || operator === 'notin' ? this.#parseValues() : this.#parseExactValue();
    return newLabelRequirement(key, operator, [...values].sort());
  }

  #parseKey(): string {
    const { kind, literal } = this.#takeValue();
    if (kind !== 'identifier') throw new SelectorError(`found '${literal}', expected: identifier`);
    const problems = checkQualifiedName(literal);
    if (problems.length > 0)
      throw new SelectorError(formatFieldError(invalidField('<nil>', literal, problems.join('; '))));
    return literal;
  }

  #parseOperator(): LabelOperator {
    const { kind, literal } = this.#take();
    const operator = operators.get(kind);
    if (operator === undefined) throw new SelectorError(`found '${literal}', expected: ${binaryOperatorNames}`);
    return operator;
  }

  #parseValues(): Set<string> {
    const open = this.#takeValue();
    if (open.kind !== '(') throw new SelectorError(`found '${open.literal}' expected: '('`);
    const first = this.#peekValue();
    if (first.kind === ')') {
      this.#takeValue();
      return new Set(['']);
    }
    if (first.kind !== 'identifier' && first.kind !== ',')
      throw new SelectorError(`found '${first.literal}', expected: ',', ')' or identifier`);
    const values = this.#parseValueList();
    if (this.#takeValue().kind !== ')') throw new SelectorError(`found '${first.literal}', expected: ')'`);
    return values;
  }

  /** Parses the values in parentheses. An empty item between commas is the empty value. */
  #parseValueList(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const { kind, literal } = this.#takeValue();
      if (kind === 'identifier') {
        values.add(literal);
        const next = this.#peekValue();
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw new SelectorError(`found '${next.literal}', expected: ',' or ')'`);
      } else if (kind === ',') {
        if (values.size === 0) values.add('');
        const next = this.#peekValue();
        if (next.kind === ')') return values.add('');
        if (next.kind === ',') {
          this.#takeValue();
          values.add('');
        }
      } else {
        throw new SelectorError(`found '${literal}', expected: ',', or identifier`);
      }
    }
  }

  #parseExactValue(): Set<string> {
    const next = this.#peekValue();
    if (next.kind === 'end' || next.kind === ',') return new Set(['']);
    const { kind, literal } = this.#takeValue();
    if (kind !== 'identifier') throw new SelectorError(`found '${literal}', expected: identifier`);
    return new Set([literal]);
  }

  #take(): Token {
    const taken = this.tokens[this.#position] ?? endToken;
    this.#position += 1;
    return taken;
  }

  /** Takes a value. Here `in` and `notin` are identifiers, because no operator is allowed. */
  #takeValue(): Token {
    return asValue(this.#take());
  }

  #peekValue(): Token {
    return asValue(this.tokens[this.#position] ?? endToken);
  }
}

const endToken: Token = { kind: 'end', literal: '' };

function asValue(read: Token): Token {
  return read.kind === 'in' || read.kind === 'notin' ? { kind: 'identifier', literal: read.literal } : read;
}
