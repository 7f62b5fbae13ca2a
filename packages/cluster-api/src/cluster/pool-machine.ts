import { labels } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';

/** Machines of a pool are told by their pool: they do not say whether they are up to date. */
export function poolMachine(machine: ObservedMachine): boolean {
  return Object.hasOwn(machine.metadata.labels ?? {}, labels.poolName);
}
