// Upstream looks for a bullet anywhere in a line, not only at its start. Messages depend on it.
const bullet = /\*\s/;

/**
 * Formats a message after `* Type:`. A single line without a bullet follows after a space. Other messages start on a
 * new line and are indented. If only some lines have bullets, the other lines get a bullet too, and the existing
 * bullets move one level deeper.
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
