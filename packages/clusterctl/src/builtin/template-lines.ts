/** Lines of a template, moved to the right. Empty ones stay empty, as in block scalars. */
export function indent(columns: number, lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(columns)}${line}`)).join('\n');
}

/** Objects of a template as one text. */
export function templateOf(...documents: readonly string[]): string {
  return documents
    .map((text) => text.trim())
    .join('\n---\n')
    .concat('\n');
}
