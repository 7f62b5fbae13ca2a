import stringWidth from 'string-width';

/** A table without lines: each column as wide as its widest cell, headings included. Nothing trails. */
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

/** How wide the table is without its last column. */
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
