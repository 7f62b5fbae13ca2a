import type { Pair } from './arena.js';

/** Limit of the ratio of Slipway's figure to that of kube-apiserver. */
export type Target = { readonly atMost: number } | { readonly atLeast: number };

export interface ResultRow {
  readonly measure: string;
  readonly unit: string;
  readonly values: Pair<number>;
  readonly target?: Target;
}

/** A figure of Slipway alone, compared with a fixed target or with another state of the same server. */
export interface OwnRow {
  readonly measure: string;
  readonly value: string;
  readonly target?: string;
  readonly met?: boolean;
}

export interface Results {
  readonly rows: ResultRow[];
  readonly own: OwnRow[];
}

export function ratioOf({ values }: ResultRow): number {
  return values.ours / values.theirs;
}

/** Returns whether a target is met. `slack` relaxes it, so that a correct build does not fail on a busy host. */
export function isMet(row: ResultRow, slack = 1): boolean {
  const { target } = row;
  if (target === undefined) return true;
  return 'atMost' in target ? ratioOf(row) <= target.atMost * slack : ratioOf(row) >= target.atLeast / slack;
}
