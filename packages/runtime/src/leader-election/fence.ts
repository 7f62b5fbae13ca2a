/** A write was refused here, before it left: this process may no longer act. Nothing reached the server. */
export class FencedError extends Error {
  constructor(why: string) {
    super(`write refused: ${why}`);
    this.name = 'FencedError';
  }
}

/** Says whether this process may still write. */
export interface Fence {
  /** Throws FencedError when it may not. */
  check(): void;
  /** Aborted at the latest when writing becomes forbidden, so that requests under way end too. */
  readonly signal: AbortSignal | undefined;
}

export const openFence: Fence = { check: () => undefined, signal: undefined };

export function anySignal(left: AbortSignal | undefined, right: AbortSignal | undefined): AbortSignal | undefined {
  if (left === undefined) return right;
  return right === undefined || left === right ? left : AbortSignal.any([left, right]);
}
