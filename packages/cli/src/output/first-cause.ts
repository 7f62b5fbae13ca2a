/**
 * What a condition says, in one line. Its message is a list whose entries may have lists below them: the first entry
 * tells, with the first of each level below it.
 */
export function firstCause(message: string): string {
  const words: string[] = [];
  let depth = -1;
  for (const line of message.split('\n')) {
    const [, indent = '', text = ''] = /^(\s*)(?:\* )?(.*)$/.exec(line) ?? [];
    if (text === '') continue;
    // A second entry of a level: the first has told.
    if (indent.length <= depth) break;
    depth = indent.length;
    words.push(text);
  }
  return words.join(' ');
}
