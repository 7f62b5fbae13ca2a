/** A JSON syntax error. The message is Go's, because clients compare it and users search for it. */
export class JsonError extends Error {
  constructor(
    message: string,
    /** Offset in the text, in UTF-16 code units. */
    readonly offset: number,
  ) {
    super(message);
    this.name = 'JsonError';
  }
}

/** Returns the error `invalid character 'x' looking for …`, or the end-of-input error at the end of the text. */
export function unexpectedCharacter(text: string, offset: number, context: string): JsonError {
  if (offset >= text.length) return new JsonError('unexpected end of JSON input', offset);
  return new JsonError(`invalid character ${quoteCharacter(text, offset)} ${context}`, offset);
}

/** Quotes the character at the offset. Go reads bytes, so its message shows the first UTF-8 byte of a non-ASCII character. */
function quoteCharacter(text: string, offset: number): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0xfffd);
  const byte = Buffer.from(character, 'utf8')[0] ?? 0;
  const named = namedEscapes.get(byte);
  if (named !== undefined) return `'${named}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (byte >= 0x80 && byte < 0xa1) return `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}

const namedEscapes = new Map([
  [0x27, "\\'"],
  [0x5c, '\\\\'],
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
]);
