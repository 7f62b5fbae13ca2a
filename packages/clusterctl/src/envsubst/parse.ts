/** A part of a template: text, or a variable with an operator. */
export type TemplatePart = string | Substitution;

interface Substitution {
  readonly variable: string;
  /** The operator, such as `:=`, `^^` or `//`. Empty for the plain value. */
  readonly operator: string;
  readonly operands: readonly Operand[];
}

/** An operand, which may contain further substitutions. */
type Operand = TemplatePart;

/** A syntax error with its line. */
export class TemplateSyntaxError extends Error {
  readonly line: number;

  constructor(problem: string, line: number) {
    super(`line ${line}: ${problem}`);
    this.name = 'TemplateSyntaxError';
    this.line = line;
  }
}

/** Parses the `${…}` syntax of Cluster API templates. `$$` is an escaped dollar sign. */
export function parseTemplate(text: string): TemplatePart[] {
  return new Reader(text).readTemplate();
}

const isNameSign = (sign: string): boolean => /[\p{L}\p{Nd}_]/u.test(sign);

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readTemplate(): TemplatePart[] {
    const parts: TemplatePart[] = [];
    while (this.#position < this.#text.length) {
      parts.push(this.#opens() ? this.#readSubstitution() : this.#readText(() => true, '$'));
    }
    return parts;
  }

  #peek(): string {
    return this.#text[this.#position] ?? '';
  }

  #opens(): boolean {
    return this.#text.startsWith('${', this.#position);
  }

  /** Reads text up to a terminator or the next substitution. A doubled `escapes` character is read as a single one. */
  #readText(belongs: (sign: string) => boolean, escapes: '' | '$' | '$\\'): string {
    let text = '';
    while (this.#position < this.#text.length && !this.#opens()) {
      const pair = this.#text.slice(this.#position, this.#position + 2);
      const escaped =
        (escapes !== '' && pair === '$$') || (escapes === '$\\' && (pair === '\\/' || pair === '\\\\')) ? 1 : 0;
      const sign = this.#text[this.#position + escaped] ?? '';
      if (escaped === 0 && !belongs(sign)) break;
      text += sign;
      this.#position += 1 + escaped;
    }
    return text;
  }

  #readSubstitution(): Substitution {
    const start = this.#position;
    this.#position += 2;
    const fail = (problem: string): TemplateSyntaxError => this.#error(problem, start);
    if (this.#peek() === '#') return this.#readLength(fail);
    const variable = this.#readName();
    if (variable === '') throw fail('unable to parse variable name');
    const [operator = ''] =
      /^(?::[=?+-]|:|=|,,?|\^\^?|\/[/#%]?|##?|%%?)/.exec(this.#text.slice(this.#position, this.#position + 2)) ?? [];
    this.#position += operator.length;
    const operands = this.#readOperands(operator, fail);
    if (this.#peek() !== '}') throw fail(operator === '' ? 'missing closing brace' : 'bad substitution');
    this.#position += 1;
    return { variable, operator, operands };
  }

  #readLength(fail: (problem: string) => TemplateSyntaxError): Substitution {
    this.#position += 1;
    const variable = this.#readName();
    if (variable === '' || this.#peek() !== '}') throw fail('bad substitution');
    this.#position += 1;
    return { variable, operator: '#', operands: [] };
  }

  #readName(): string {
    const start = this.#position;
    while (this.#position < this.#text.length && isNameSign(this.#peek())) this.#position += 1;
    return this.#text.slice(start, this.#position);
  }

  #readOperands(operator: string, fail: (problem: string) => TemplateSyntaxError): Operand[] {
    if (operator === '' || /^[,^]/.test(operator)) return [];
    if (operator === ':') return this.#readSubstring(fail);
    if (operator.startsWith('/')) return this.#readReplacement(fail);
    if (/^[#%]/.test(operator)) return [this.#readOperand((sign) => sign !== '}', '', fail)];
    const operands: Operand[] = [];
    while (this.#peek() !== '}') operands.push(this.#readOperand((sign) => sign !== '}', '', fail));
    return operands;
  }

  #readOperand(
    belongs: (sign: string) => boolean,
    escapes: '' | '$\\',
    fail: (problem: string) => TemplateSyntaxError,
  ): Operand {
    if (this.#opens()) return this.#readSubstitution();
    const before = this.#position;
    const text = this.#readText(belongs, escapes);
    if (this.#position === before) throw fail('unable to parse substitution within function');
    return text;
  }

  /** Reads `:position` or `:position:length`. */
  #readSubstring(fail: (problem: string) => TemplateSyntaxError): Operand[] {
    const position = this.#readOperand((sign) => sign !== ':' && sign !== '}', '', fail);
    if (this.#peek() !== ':') return [position];
    while (this.#peek() === ':') this.#position += 1;
    return [position, this.#readOperand((sign) => sign !== '}', '', fail)];
  }

  /** Reads `/text/` or `/text/replacement`. */
  #readReplacement(fail: (problem: string) => TemplateSyntaxError): Operand[] {
    const desired = this.#readOperand((sign) => sign !== '/', '$\\', fail);
    if (this.#peek() !== '/') throw fail('bad substitution');
    while (this.#peek() === '/') this.#position += 1;
    if (this.#peek() === '}') return [desired];
    return [desired, this.#readOperand((sign) => sign !== '}', '$\\', fail)];
  }

  #error(problem: string, position: number): TemplateSyntaxError {
    const line = this.#text.slice(0, position).split('\n').length;
    return new TemplateSyntaxError(
      `${problem}: ${this.#text.slice(position, position + 40).split('\n')[0] ?? ''}`,
      line,
    );
  }
}
