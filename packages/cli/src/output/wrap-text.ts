/**
 * Breaks text at blanks so that lines stay within `width`; a word that is longer stands alone. Line breaks are kept, and the
 * second line of a bullet starts under its first word.
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
