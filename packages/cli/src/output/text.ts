import stringWidth from 'string-width';

/** Formats a table without borders. Each column is as wide as its widest cell or heading. Lines have no trailing spaces. */
export function columnsText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  gap = 2,
): readonly string[] {
  const widths = headings.map((heading, index) =>
    Math.max(stringWidth(heading) + 1, ...rows.map((row) => cellWidth(row[index], gap))),
  );
  return [headings, ...rows].map((row) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0))
      .join('')
      .trimEnd(),
  );
}

/** Returns the width of the table without its last column. */
export function widthBefore(headings: readonly string[], rows: readonly (readonly string[])[], gap = 2): number {
  return headings
    .slice(0, -1)
    .map((heading, index) => Math.max(stringWidth(heading) + 1, ...rows.map((row) => cellWidth(row[index], gap))))
    .reduce((sum, width) => sum + width, 0);
}

function cellWidth(cell: string | undefined, gap: number): number {
  return stringWidth(cell ?? '') + gap;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - stringWidth(text), 0));
}

/**
 * Wraps text at spaces to `width`; a longer word gets its own line. Line breaks are kept, and continuation lines of a list
 * item are indented to its text.
 */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const hanging = line.trimStart().startsWith('* ') ? `${indent}  ` : indent;
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(/\s+/)) {
    const isEmpty = current.trim() === '';
    if (isEmpty || current.length + word.length < width) {
      current += isEmpty ? word : ` ${word}`;
      continue;
    }
    lines.push(current);
    current = hanging + word;
  }
  return [...lines, current];
}

/** Formats lines of `name value`, with the values in one column. */
export function factsText(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}   ${value}\n`).join('');
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a size: `512 B`, `1.5 MiB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}
