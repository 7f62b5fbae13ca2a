// Upstream looks for a bullet anywhere in a line, not only at its start; users see texts that depend on it.
const bullet = /\*\s/;

/**
 * A message behind `* Type:`. One line follows after a blank; several lines, or bullets, start on a new line, indented.
 * Among bullets a line without one gets one, and the bullets go a level deeper.
 */
export function indentIfMultiline(message: string): string {
  if (!message.includes('\n') && !bullet.test(message)) return ` ${message}`;
  const lines = message.split('\n');
  const allBullets = lines.every((line) => bullet.test(line));
  const prefixOf = (line: string): string => {
    if (allBullets) return '  ';
    return bullet.test(line) ? '    ' : '  * ';
  };
  return `\n${lines.map((line) => prefixOf(line) + line).join('\n')}`;
}
