import { SelectorError } from './label-requirement.js';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All of its requirements must hold. Which fields exist is for the resource to say: see `requirements`. */
export class FieldSelector {
  constructor(readonly requirements: readonly FieldRequirement[]) {}

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  /** `valueOf` gives the value of a field, '' when the object has none. */
  matches(valueOf: (field: string) => string): boolean {
    return this.requirements.every(({ field, operator, value }) => (valueOf(field) === value) === (operator === '='));
  }

  /** The one value that `field` must have, when there is one: `metadata.name=x` reads a single key. */
  exactValue(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

const everyField = new FieldSelector([]);

/** Reads `metadata.name=x,status.phase!=Failed`; `\,`, `\=` and `\\` stand for themselves. Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return everyField;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort()) if (term !== '') requirements.push(parseTerm(term, text));
  return new FieldSelector(requirements);
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') {
      index += 1;
    } else if (character === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, text: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  const value = unescapeFieldValue(term.slice(match.index + match[0].length));
  return { field: term.slice(0, match.index), operator: match[0] === '!=' ? '!=' : '=', value };
}

function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let value = '';
  const characters = text[Symbol.iterator]();
  for (let next = characters.next(); next.done !== true; next = characters.next()) {
    if (next.value === ',' || next.value === '=') throw unescaped(next.value);
    value += next.value === '\\' ? escapedCharacter(characters.next().value ?? '') : next.value;
  }
  return value;
}

function escapedCharacter(character: string): string {
  if (character === '\\' || character === ',' || character === '=') return character;
  throw new SelectorError(`invalid field selector: invalid escape sequence: \\${character}`);
}

/** Upstream prints the character as its number. */
function unescaped(character: string): SelectorError {
  return new SelectorError(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
}

function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, (character) => `\\${character}`);
}
