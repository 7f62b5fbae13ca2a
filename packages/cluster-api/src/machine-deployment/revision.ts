import { revisionAnnotations } from '../api/index.js';
import type { ObservedMachineSet } from './rollout-plan.js';

export interface Revision {
  readonly revision: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The new set always has the highest revision. One that was used before keeps a list of those it had. */
export function revisionOfNewSet(
  current: ObservedMachineSet | undefined,
  old: readonly ObservedMachineSet[],
): Revision {
  const highest = Math.max(0, ...old.map(numberOf));
  const own = current?.metadata.annotations?.[revisionAnnotations.revision];
  const history = current?.metadata.annotations?.[revisionAnnotations.revisionHistory] ?? '';
  if (current !== undefined && own !== undefined && numberOf(current) > highest) return revisionWith(own, history);
  const revision = String(highest + 1);
  if (own === undefined || own === '') return revisionWith(revision, history);
  return revisionWith(revision, history === '' ? own : `${history},${own}`);
}

/** Old sets keep what they have. */
export function revisionOfOldSet(set: ObservedMachineSet): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const key of [revisionAnnotations.revision, revisionAnnotations.revisionHistory]) {
    const value = set.metadata.annotations?.[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

function revisionWith(revision: string, history: string): Revision {
  const annotations: Record<string, string> = { [revisionAnnotations.revision]: revision };
  if (history !== '') annotations[revisionAnnotations.revisionHistory] = history;
  return { revision, annotations };
}

/** Whatever is no number counts as never rolled out. */
function numberOf(set: ObservedMachineSet): number {
  const revision = Number(set.metadata.annotations?.[revisionAnnotations.revision] ?? 0);
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}
