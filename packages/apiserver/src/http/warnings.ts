const totalRunesMax = 4 * 1024;
const itemRunesMax = 256;

/**
 * The `Warning` headers of one response, without duplicates. All texts are truncated to 256 characters if their total exceeds
 * 4 Ki.
 */
export class Warnings {
  #texts: Set<string> | undefined;

  add(text: string): void {
    if (text === '') return;
    this.#texts ??= new Set();
    this.#texts.add(text);
  }

  /** Header values in insertion order, or undefined if there are none. */
  headers(): string[] | undefined {
    const texts = this.#texts;
    if (texts === undefined) return undefined;
    let total = 0;
    for (const text of texts) total += countRunes(text);
    return total <= totalRunesMax ? [...texts].map(format) : truncated(texts);
  }
}

/** Truncates the texts. Like upstream, stops adding texts as soon as they fill the budget. */
function truncated(texts: ReadonlySet<string>): string[] {
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= totalRunesMax) break;
    const runes = Array.from(text);
    const kept = runes.length > itemRunesMax ? runes.slice(0, itemRunesMax) : runes;
    written += kept.length;
    headers.push(format(kept.join('')));
  }
  return headers;
}

function countRunes(text: string): number {
  let count = 0;
  for (const _rune of text) count += 1;
  return count;
}

/** Formats a warning as a quoted-string of RFC 7230. Control characters are replaced, because headers must not contain them. */
function format(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must go
  const printable = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  const quoted = `299 - "${printable.replace(/["\\]/g, '\\$&')}"`;
  // Headers are bytes: UTF-8 is sent as the Latin-1 string of its bytes.
  return Buffer.from(quoted, 'utf8').toString('latin1');
}
