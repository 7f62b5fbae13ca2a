// Upstream looks for a bullet anywhere in a line, not only at its start. Messages depend on it.
const bullet = /\*\s/;

/**
 * Formats a message after `* Type:`. One line follows after a space; several lines, or bullets, start on a new line, indented.
 * Lines without a bullet get one if others have, and bullets move one level deeper.
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
