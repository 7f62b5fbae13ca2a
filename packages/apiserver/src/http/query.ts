/**
 * The query of a request. Most requests have few or no parameters, so a linear search is faster than a map. Malformed
 * pairs are dropped, like in Go's parser.
 */
export class Query {
  readonly #keys: string[] = [];
  readonly #values: string[] = [];

  constructor(raw: string) {
    let start = 0;
    while (start < raw.length) {
      let end = raw.indexOf('&', start);
      if (end < 0) end = raw.length;
      if (end > start) this.#add(raw.slice(start, end));
      start = end + 1;
    }
  }

  get(name: string): string | undefined {
    const index = this.#keys.indexOf(name);
    return index < 0 ? undefined : this.#values[index];
  }

  getAll(name: string): string[] {
    return this.#values.filter((_value, index) => this.#keys[index] === name);
  }

  has(name: string): boolean {
    return this.#keys.includes(name);
  }

  /**
   * Whether a boolean parameter is true. Only an absent parameter, `false` and `0` are false: `?watch` and `?watch=` are true.
   */
  flag(name: string): boolean {
    const value = this.get(name);
    return value !== undefined && value !== 'false' && value !== '0';
  }

  #add(pair: string): void {
    if (pair.includes(';') || this.#keys.length >= parametersMax) return;
    const equals = pair.indexOf('=');
    const key = decodeComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeComponent(pair.slice(equals + 1));
    if (key === undefined || value === undefined) return;
    this.#keys.push(key);
    this.#values.push(value);
  }
}

/** Maximum number of parameters, far more than any client sends. The header limit bounds their length; this bounds the search. */
const parametersMax = 256;

export const emptyQuery = new Query('');

function decodeComponent(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return percentDecode(spaced);
}

/** Returns the decoded text, or undefined if the encoding is invalid. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
