import type { MoveProblem } from './checks.js';

export type MoveErrorReason =
  | 'SameCluster'
  | 'OtherMove'
  | 'IncomingMove'
  | 'Refused'
  | 'Blocked'
  | 'NotEqual'
  | 'Undone'
  | 'NotUndone'
  | 'Incomplete'
  | 'Directory';

interface MoveErrorOptions {
  readonly remedy?: string;
  readonly problems?: readonly MoveProblem[];
  readonly cause?: unknown;
}

/** Reports a failed move, with the resulting state of both clusters and the remedy. */
export class MoveError extends Error {
  readonly remedy: string | undefined;
  readonly problems: readonly MoveProblem[];

  constructor(
    readonly reason: MoveErrorReason,
    message: string,
    options: MoveErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'MoveError';
    this.remedy = options.remedy;
    this.problems = options.problems ?? [];
  }
}
