/** How Go's %q prints a string: clients and their tests compare these texts byte for byte. */
export function quoteGo(text: string): string {
  let out = '"';
  for (const character of text) out += quoteCharacter(character);
  return `${out}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function quoteCharacter(character: string): string {
  const escaped = escapes.get(character);
  if (escaped !== undefined) return escaped;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x7f || !unprintable.test(character)) return character;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** How %q prints a slice of strings: `["a" "b"]`. */
export function quoteGoList(items: readonly string[]): string {
  return `[${items.map(quoteGo).join(' ')}]`;
}

/** How an aggregate of errors prints: one as it is, several in brackets, each once. */
export function aggregateText(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
