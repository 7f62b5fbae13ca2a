import type { MoveProgress, MoveReport } from '@slipway/clusterctl';

/** Formats the lists of moved objects, kept objects, left objects and problems. */
export function reportText({ moved, kept, left, problems }: MoveReport, isPreview: boolean): string {
  const sections = [
    section(isPreview ? 'Would move' : 'Moved', moved),
    section(
      isPreview ? 'Would copy and keep in the source' : 'Copied and kept in the source, because other objects use it',
      kept,
    ),
    section('Left in the source, because no moved object references them', left),
    section(
      'Problems',
      problems.map(({ message, check }) => `${message} (check ${check})`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${title} (${lines.length})\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** Prints one line per phase and object, on standard error if standard output is structured. */
export function moveProgress(isForProgram: boolean): (progress: MoveProgress) => void {
  const stream = isForProgram ? process.stderr : process.stdout;
  return ({ phase, done, total, object }) => {
    if (object === undefined) stream.write(`${phase}\n`);
    else stream.write(`${phase} ${done + 1}/${total} ${object}\n`);
  };
}
