/**
 * Renders a section of an INI file in the syntax of Go's gcfg. All values are quoted, because `#` and `;` start a
 * comment.
 */
export function iniSection(
  name: string,
  subsection: string | undefined,
  values: Readonly<Record<string, string | undefined>>,
): string {
  const title = subsection === undefined ? `[${name}]` : `[${name} ${iniText(subsection)}]`;
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${iniText(value)}`],
  );
  return `${[title, ...lines].join('\n')}\n`;
}

export function iniText(value: string): string {
  if (/[\n\r\0]/.test(value)) throw new Error('a value of an INI file cannot contain a line break');
  return `"${value.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}
