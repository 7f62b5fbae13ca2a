import type { PlanProgress } from '@slipway/insight';

/** A terminal for progress: standard error, so that the plan itself can be piped. */
export interface ProgressScreen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ShownProgress {
  show(progress: PlanProgress): void;
  /** Removes the progress line. */
  clear(): void;
}

const clearLine = '\r\u001B[2K';
const drawMs = 100;

/** Shows the progress of a plan in one line that is redrawn. Writes nothing without a terminal. */
export function showProgress(screen: ProgressScreen, now: () => number): ShownProgress {
  if (screen.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    show(progress) {
      if (now() - drawnAt < drawMs) return;
      drawnAt = now();
      isDrawn = true;
      screen.write(`${clearLine}${textOf(progress)}`);
    },
    clear() {
      if (isDrawn) screen.write(clearLine);
      isDrawn = false;
    },
  };
}

function textOf(progress: PlanProgress): string {
  if (progress.phase === 'reading') return 'Reading the management cluster …';
  const minutes = Math.round(progress.simulatedMs / 60_000);
  return `Simulating: ${minutes} min of simulated time, ${progress.changes} changes …`;
}
