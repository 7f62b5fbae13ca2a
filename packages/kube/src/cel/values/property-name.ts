/** Reserved words in CEL. A property with such a name is accessed as `__word__`. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const UNESCAPES: ReadonlyMap<string, string> = new Map(
  [...ESCAPES].map(([plain, escaped]) => [escaped.slice(2, -2), plain] as const),
);

/** Returns the CEL identifier of a property, or undefined if the property has none. */
export function escapePropertyName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (found) => ESCAPES.get(found) ?? found);
}

/** Returns the property of a CEL identifier, or undefined if no property has that identifier. */
export function unescapePropertyName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let valid = true;
  const name = escaped.replace(/__([^_]+)__/g, (found, inner: string) => {
    const plain = UNESCAPES.get(inner);
    if (plain !== undefined) return plain;
    if (!RESERVED.has(inner) || found.length !== escaped.length) valid = false;
    return inner;
  });
  return valid ? name : undefined;
}
