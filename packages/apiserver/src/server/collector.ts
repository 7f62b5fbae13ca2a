import { setFlagsFromString } from 'node:v8';

/**
 * Asks V8 to empty its nursery on the main thread alone. By default it shares the work with helper threads and waits for all
 * of them: where other programs have the cores, a pause of 5 ms becomes one of 60 ms, and every watcher sees it. For
 * whoever owns the process; once, at its start.
 */
export function preferShortPauses(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
