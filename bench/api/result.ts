import type { Pair } from './arena.js';

/** Ours divided by theirs: at most that much, or at least. */
export type Target = { readonly atMost: number } | { readonly atLeast: number };

export interface ResultRow {
  readonly measure: string;
  readonly unit: string;
  readonly values: Pair<number>;
  readonly target?: Target;
}

/** One of ours that is measured against a fixed figure, or against ourselves in another state. */
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

/** `slack` widens the target: a busy machine must not turn a sound build red. */
export function isMet(row: ResultRow, slack = 1): boolean {
  const { target } = row;
  if (target === undefined) return true;
  return 'atMost' in target ? ratioOf(row) <= target.atMost * slack : ratioOf(row) >= target.atLeast / slack;
}
