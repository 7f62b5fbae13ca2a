import { type FilterOperator, JsonPathError, type JsonPathStep, type Operand } from './json-path-step.js';

const textLengthMax = 4_096;
const fieldPattern = /(?:\\.|[^\\.,[\]$@{}\s])+/sy;
// Matches a field name in a filter, where a name also ends at the comparison operator.
const filterFieldPattern = /(?:\\.|[^\\.,[\]$@{}\s=!<>()])+/sy;
const quotedPattern = /'((?:\\.|[^\\'])*)'|"((?:\\.|[^\\"])*)"/sy;
const integerPattern = /-?[0-9]{1,9}/y;
const numberPattern = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const operatorPattern = /==|!=|<=|>=|<|>/y;
const wordPattern = /true|false|null/y;

/** Parses a path such as `.status.conditions[?(@.type=="Ready")].status`, with or without braces and a leading `$`. */
export function parseJsonPath(text: string): JsonPathStep[] {
  if (text.length > textLengthMax) throw new JsonPathError('path is too long');
  const trimmed = text.trim();
  const body = trimmed.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1).trim() : trimmed;
  const parser = new PathParser(body);
  const steps = parser.readPath();
  parser.expectEnd();
  return steps;
}

class PathParser {
  #offset = 0;
  #filterDepth = 0;

  constructor(private readonly text: string) {}

  readPath(): JsonPathStep[] {
    const steps: JsonPathStep[] = [];
    if (this.#peek() === '$' || this.#peek() === '@') this.#offset += 1;
    else if (/[^.[\s]/.test(this.#peek())) steps.push(this.#readField());
    for (;;) {
      const next = this.#peek();
      if (next === '.') {
        this.#offset += 1;
        this.#readAfterDot(steps);
      } else if (next === '[') {
        this.#offset += 1;
        steps.push(this.#readBrackets());
      } else {
        return steps;
      }
    }
  }

  expectEnd(): void {
    if (this.#offset < this.text.length) throw this.#unexpected();
  }

  #readAfterDot(steps: JsonPathStep[]): void {
    const next = this.#peek();
    if (next === '*') {
      this.#offset += 1;
      steps.push({ kind: 'all' });
    } else if (next === '.') {
      throw new JsonPathError('recursive descent is not supported');
    } else if (next !== '' && next !== '[') {
      steps.push(this.#readField());
    } else if (next === '' && steps.length > 0) {
      throw this.#unexpected();
    }
  }

  #readField(): JsonPathStep {
    const name = this.#match(this.#filterDepth > 0 ? filterFieldPattern : fieldPattern);
    if (name === undefined) throw this.#unexpected();
    return { kind: 'field', name: name.replaceAll(/\\(.)/gs, '$1') };
  }

  #readBrackets(): JsonPathStep {
    this.#skipSpace();
    if (this.#peek() === '?') return this.#readFilter();
    const steps = [this.#readSelector()];
    for (this.#skipSpace(); this.#peek() === ','; this.#skipSpace()) {
      this.#offset += 1;
      this.#skipSpace();
      steps.push(this.#readSelector());
    }
    this.#expect(']');
    const [first] = steps;
    return steps.length === 1 && first !== undefined ? first : { kind: 'union', steps };
  }

  #readSelector(): JsonPathStep {
    if (this.#peek() === '*') {
      this.#offset += 1;
      return { kind: 'all' };
    }
    const name = this.#readQuoted();
    if (name !== undefined) return { kind: 'field', name };
    const start = this.#readInteger();
    if (this.#peek() === ':') return this.#readSlice(start);
    if (start === undefined) throw this.#unexpected();
    return { kind: 'index', index: start };
  }

  #readSlice(start: number | undefined): JsonPathStep {
    this.#offset += 1;
    const end = this.#readInteger();
    let step = 1;
    if (this.#peek() === ':') {
      this.#offset += 1;
      step = this.#readInteger() ?? 1;
      if (step <= 0) throw new JsonPathError(`step must be > 0`);
    }
    return { kind: 'slice', step, ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  }

  #readFilter(): JsonPathStep {
    this.#offset += 1;
    this.#expect('(');
    this.#filterDepth += 1;
    this.#skipSpace();
    const left = this.#readOperand();
    this.#skipSpace();
    const operator = this.#match(operatorPattern) as FilterOperator | undefined;
    if (operator !== undefined) this.#skipSpace();
    const right: Operand = operator === undefined ? { kind: 'literal', value: null } : this.#readOperand();
    this.#skipSpace();
    this.#expect(')');
    this.#filterDepth -= 1;
    this.#skipSpace();
    this.#expect(']');
    return { kind: 'filter', left, operator: operator ?? 'exists', right };
  }

  #readOperand(): Operand {
    const text = this.#readQuoted();
    if (text !== undefined) return { kind: 'literal', value: text };
    const number = this.#match(numberPattern);
    if (number !== undefined) return { kind: 'literal', value: Number(number) };
    const word = this.#match(wordPattern);
    if (word !== undefined) return { kind: 'literal', value: word === 'null' ? null : word === 'true' };
    if (this.#peek() !== '@') throw this.#unexpected();
    return { kind: 'path', steps: this.readPath() };
  }

  #readQuoted(): string | undefined {
    const quoted = this.#match(quotedPattern);
    return quoted?.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  }

  #readInteger(): number | undefined {
    this.#skipSpace();
    const digits = this.#match(integerPattern);
    this.#skipSpace();
    return digits === undefined ? undefined : Number(digits);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#offset += match.length;
    return match;
  }

  #peek(): string {
    return this.text.charAt(this.#offset);
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#offset += 1;
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw this.#unexpected();
    this.#offset += 1;
  }

  #unexpected(): JsonPathError {
    const found = this.#peek();
    return new JsonPathError(found === '' ? 'unexpected end of path' : `unrecognized character in path: ${found}`);
  }
}
