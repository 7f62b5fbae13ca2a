import { SelectorError } from './label-requirement.js';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A conjunction of field requirements. Which fields are supported depends on the resource, which has to check `requirements`. */
export class FieldSelector {
  constructor(readonly requirements: readonly FieldRequirement[]) {}

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  /** Returns whether an object matches. `valueOf` returns the value of a field, or '' if the object does not have it. */
  matches(valueOf: (field: string) => string): boolean {
    return this.requirements.every(({ field, operator, value }) => (valueOf(field) === value) === (operator === '='));
  }

  /** Returns the only value that `field` may have, if there is one. With `metadata.name=x` a single key can be read. */
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

/** Parses `metadata.name=x,status.phase!=Failed` with the escapes `\,`, `\=` and `\\`. Throws SelectorError. */
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

/** Returns the error about an unescaped character. Upstream prints its code point. */
function unescaped(character: string): SelectorError {
  return new SelectorError(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
}

function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, (character) => `\\${character}`);
}
