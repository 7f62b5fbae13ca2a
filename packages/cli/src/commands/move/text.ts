import type { MoveProgress, MoveReport } from '@slipway/clusterctl';

/** What moved, what stayed, what stands in the way: by name. */
export function reportText({ moved, kept, left, problems }: MoveReport, isPreview: boolean): string {
  const sections = [
    section(isPreview ? 'Would move' : 'Moved', moved),
    section(isPreview ? 'Would be copied, and stay' : 'Copied, and kept since others use it', kept),
    section('Left in the source: nothing that moves leads to it', left),
    section(
      'In the way',
      problems.map(({ message, check }) => `${message} (check ${check})`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${title} (${lines.length})\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** One line for each phase and object, on standard error where standard output is for a program. */
export function moveProgress(isForProgram: boolean): (progress: MoveProgress) => void {
  const stream = isForProgram ? process.stderr : process.stdout;
  return ({ phase, done, total, object }) => {
    if (object === undefined) stream.write(`${phase}\n`);
    else stream.write(`${phase} ${done + 1}/${total} ${object}\n`);
  };
}
