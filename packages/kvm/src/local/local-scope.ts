import type { Clock } from '@slipway/base';
import type { CallChange } from '@slipway/runtime';
import type { Sessions } from './sessions.js';

/** An effect on this host: a process, a disk, a command to QEMU. */
type Effect<R> = Pick<CallChange<R>, 'action' | 'reason' | 'message' | 'run'>;

/** Performs an effect and records it as a change of the machine. */
export type Perform = <R>(effect: Effect<R>) => Promise<R>;

/** Performs an effect without recording it: the launcher in a pod has no change feed. */
export const performDirectly: Perform = ({ run }) => run(new AbortController().signal);

/** The state of one reconcile of a local machine. */
export interface LocalScope {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly perform: Perform;
  readonly recordEvent: (type: 'Normal' | 'Warning', reason: string, message: string) => void;
}
