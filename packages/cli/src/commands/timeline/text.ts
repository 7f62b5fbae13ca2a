import { type Phase, refText, type Timeline, type TimelineChange } from '@slipway/insight';
import { columnsText, type Style } from '../../output/index.js';

export interface TimelineTextOptions {
  readonly style: Style;
  readonly width: number;
}

/** Formats a timeline as bars and as a list. */
export function timelineText(timeline: Timeline, options: TimelineTextOptions): string {
  const { style } = options;
  const { cluster, startedAt, tookMs } = timeline;
  const state = tookMs === undefined ? style.doubtful('not available yet') : `available after ${secondsText(tookMs)}`;
  const lines = [
    `${style.bold(refText(cluster))}, manifest applied at ${startedAt}, ${state}`,
    '',
    ...phaseLines(timeline, options),
    ...runLines(timeline, style),
    '',
    ...entryLines(timeline, options.width),
    ...missingLines(timeline, style),
    '',
    style.bold('Critical path'),
    ...pathLines(timeline, style),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Formats the operations. Creation spans the whole timeline unless machines were added or replaced later. */
function runLines({ runs }: Timeline, style: Style): string[] {
  if (runs.length < 2) return [];
  const lines = runs.map(({ kind, version, startMs, endMs, machines }) => {
    const took = endMs === undefined ? 'running' : `+${secondsText(endMs - startMs)}`;
    const what = kind === 'upgrade' ? `upgrade to ${version}` : kind;
    const count =
      machines === 0 ? 'its machines no longer exist' : `${machines} ${machines === 1 ? 'machine' : 'machines'}`;
    return `  ${what.padEnd(nameWidth)}${secondsText(startMs).padStart(7)} ${took.padStart(9)}  ${count}`;
  });
  return ['', style.bold('Generations'), ...lines];
}

const nameWidth = 22;
const timesWidth = 18;

function phaseLines({ phases, entries }: Timeline, { style, width }: TimelineTextOptions): string[] {
  const names = new Set<string>(phases.map(({ name }) => name));
  const own = entries.filter(({ phase }) => names.has(phase)).map(({ atMs }) => atMs);
  const total = Math.max(1, ...phases.map(({ startMs, endMs }) => endMs ?? startMs), ...own);
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
const changeHeadings = ['      AT', 'WHAT', 'OBJECT', 'PHASE OR REASON'];

/** Formats milestones and changes of the controllers in chronological order. */
function entryLines({ entries, changes }: Timeline, width: number): readonly string[] {
  const milestones = entries.map(({ atMs, what, object, phase }) => ({ atMs, cells: [what, refText(object), phase] }));
  const made = changes.map((change) => ({
    atMs: change.atMs,
    cells: [change.action, refText(change.object), changeText(change)],
  }));
  const rows = [...milestones, ...made]
    .toSorted((left, right) => left.atMs - right.atMs)
    .map(({ atMs, cells }) => [secondsText(atMs).padStart(8), ...cells]);
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  if (made.length > 0) return indented(columnsText(changeHeadings, rows)).map((line) => shortened(line, width));
  const wide = indented(columnsText(entryHeadings, rows));
  if (wide.every((line) => line.length <= width)) return wide;
  // On a narrow terminal the phase is omitted: it follows from the order.
  const without = (cells: readonly string[]): readonly string[] => cells.slice(0, -1);
  return indented(columnsText(without(entryHeadings), rows.map(without)));
}

function changeText({ controller, reason, message, failed }: TimelineChange): string {
  return `${failed ? 'failed, ' : ''}${reason}: ${message} (${controller})`;
}

function shortened(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(width - 1, 0))}…`;
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

/** Formats a duration as `0 s`, `12 s` or `3 m 5 s`. */
export function secondsText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
