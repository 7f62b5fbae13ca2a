/** The value of a quoted literal, or an error message. In bytes literals `\x` and octal escapes are single bytes. */
export type Unescaped = { readonly value: string } | { readonly bytes: Uint8Array } | { readonly error: string };

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

export function unescapeLiteral(token: string, isBytes: boolean): Unescaped {
  const prefix = /^[a-zA-Z]*/.exec(token)?.[0] ?? '';
  const raw = prefix.toLowerCase().includes('r');
  const body = token.slice(prefix.length);
  const quote = /^("""|'''|"|')/.exec(body)?.[0] ?? '"';
  // Line endings inside triple quotes are normalized to a newline.
  const text = body.slice(quote.length, body.length - quote.length).replace(/\r\n?/g, '\n');
  const parts = raw ? [text] : splitEscapes(text, isBytes);
  if (!Array.isArray(parts)) return parts;
  return isBytes ? { bytes: joinBytes(parts) } : { value: parts.join('') };
}

type Part = string | number;

function splitEscapes(text: string, isBytes: boolean): Part[] | { error: string } {
  const parts: Part[] = [];
  let index = 0;
  while (index < text.length) {
    const slash = text.indexOf('\\', index);
    if (slash < 0) {
      parts.push(text.slice(index));
      break;
    }
    if (slash > index) parts.push(text.slice(index, slash));
    const escape = readEscape(text, slash, isBytes);
    if ('error' in escape) return escape;
    parts.push(escape.part);
    index = escape.next;
  }
  return parts.map((part) => (typeof part === 'number' && !isBytes ? String.fromCodePoint(part) : part));
}

function readEscape(text: string, slash: number, isBytes: boolean): { part: Part; next: number } | { error: string } {
  const letter = text[slash + 1];
  if (letter === undefined) return { error: "unable to unescape string, found '\\' as last character" };
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (simple !== undefined) return { part: simple, next: slash + 2 };
  if (letter === 'x' || letter === 'X') return readDigits(text, slash + 2, 2, 16);
  if (letter === 'u' || letter === 'U') {
    if (isBytes) return { error: 'unable to unescape string' };
    return readDigits(text, slash + 2, letter === 'u' ? 4 : 8, 16);
  }
  if (/[0-3]/.test(letter)) return readDigits(text, slash + 1, 3, 8);
  return { error: 'unable to unescape string' };
}

function readDigits(
  text: string,
  start: number,
  count: number,
  base: 8 | 16,
): { part: number; next: number } | { error: string } {
  const digits = text.slice(start, start + count);
  const pattern = base === 8 ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/;
  if (digits.length < count || !pattern.test(digits)) return { error: 'unable to unescape string' };
  const value = Number.parseInt(digits, base);
  const isSurrogate = value >= 0xd800 && value <= 0xdfff;
  if (value > 0x10ffff || isSurrogate) return { error: 'invalid unicode code point' };
  return { part: value, next: start + count };
}

function joinBytes(parts: readonly Part[]): Uint8Array {
  const encoder = new TextEncoder();
  const chunks = parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part & 0xff) : encoder.encode(part)));
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
