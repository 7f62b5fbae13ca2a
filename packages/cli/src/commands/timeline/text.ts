import { type Phase, refText, type Timeline } from '@slipway/insight';
import { columnsText, type Style } from '../../output/index.js';

export interface TimelineTextOptions {
  readonly style: Style;
  readonly width: number;
}

/** What happened when, as bars and as a list. */
export function timelineText(timeline: Timeline, options: TimelineTextOptions): string {
  const { style } = options;
  const { cluster, startedAt, tookMs } = timeline;
  const state = tookMs === undefined ? style.doubtful('not available yet') : `available after ${secondsText(tookMs)}`;
  const lines = [
    `${style.bold(refText(cluster))}, manifest applied at ${startedAt}, ${state}`,
    '',
    ...phaseLines(timeline, options),
    '',
    ...entryLines(timeline, options.width),
    ...missingLines(timeline, style),
    '',
    style.bold('Critical path'),
    ...pathLines(timeline, style),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

const nameWidth = 22;
const timesWidth = 18;

function phaseLines({ phases, entries }: Timeline, { style, width }: TimelineTextOptions): string[] {
  const total = Math.max(1, ...phases.map(({ startMs, endMs }) => endMs ?? startMs), entries.at(-1)?.atMs ?? 0);
  const room = Math.max(width - nameWidth - timesWidth - 2, 10);
  return phases.map((phase) => {
    const times = `${secondsText(phase.startMs).padStart(7)} ${tookText(phase).padStart(9)}  `;
    const from = Math.round((phase.startMs / total) * room);
    const to = Math.max(Math.round(((phase.endMs ?? total) / total) * room), from + 1);
    const bar =
      ' '.repeat(Math.min(from, room - 1)) +
      (phase.endMs === undefined ? '░' : '█').repeat(Math.max(Math.min(to, room) - from, 1));
    return `  ${phase.name.padEnd(nameWidth)}${times}${phase.endMs === undefined ? style.doubtful(bar) : style.good(bar)}`;
  });
}

function tookText({ startMs, endMs }: Phase): string {
  return endMs === undefined ? 'running' : `+${secondsText(endMs - startMs)}`;
}

const entryHeadings = ['      AT', 'WHAT', 'OBJECT', 'PHASE'];

/** Without the phase where there is no room: the order tells it. */
function entryLines({ entries }: Timeline, width: number): readonly string[] {
  const rows = entries.map(({ atMs, what, object, phase }) => [
    secondsText(atMs).padStart(8),
    what,
    refText(object),
    phase,
  ]);
  const wide = columnsText(entryHeadings, rows).map((line) => `  ${line}`);
  if (wide.every((line) => line.length <= width)) return wide;
  const without = (cells: readonly string[]): readonly string[] => cells.slice(0, -1);
  return columnsText(without(entryHeadings), rows.map(without)).map((line) => `  ${line}`);
}

function missingLines({ missing }: Timeline, style: Style): string[] {
  return missing.map(({ object, what }) => `        ${style.doubtful('–')}  ${what}: ${refText(object)}`);
}

function pathLines({ criticalPath }: Timeline, style: Style): string[] {
  const slowest = Math.max(0, ...criticalPath.map(({ tookMs }) => tookMs));
  return criticalPath.map(({ what, object, tookMs }) => {
    const took = `+${secondsText(tookMs)}`.padStart(9);
    return `  ${tookMs === slowest && slowest > 0 ? style.bad(took) : took}  ${what}, ${refText(object)}`;
  });
}

/** `0 s`, `12 s`, `3 m 5 s`: what a person compares. */
export function secondsText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
