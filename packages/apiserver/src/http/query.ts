/**
 * The query of a request. Most requests have none or very few parameters, so that a linear search beats a map. Malformed
 * pairs are dropped, as Go's parser does.
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

  /** Only the absence of a value, `false` and `0` are false: `?watch` and `?watch=` are true. */
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

/** Far more than any client sends; the header limit bounds the text, this bounds the search. */
const parametersMax = 256;

export const emptyQuery = new Query('');

function decodeComponent(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return percentDecode(spaced);
}

/** The decoded text, or undefined when the encoding is broken. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
