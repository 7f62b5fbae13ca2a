/** Words that cannot be field names in CEL; a property called so is reached as `__word__`. */
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

/** The identifier under which CEL sees a property, or undefined when it cannot. */
export function escapePropertyName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (found) => ESCAPES.get(found) ?? found);
}

/** The property behind an identifier, or undefined when no property escapes to it. */
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
