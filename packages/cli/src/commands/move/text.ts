import type { MoveReport } from '@slipway/clusterctl';

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
