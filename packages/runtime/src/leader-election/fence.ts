/** A write was rejected before it was sent, because this process may no longer write. */
export class FencedError extends Error {
  constructor(why: string) {
    super(`write refused: ${why}`);
    this.name = 'FencedError';
  }
}

/** Controls whether this process may still write. */
export interface Fence {
  /** Throws FencedError if this process may no longer write. */
  check(): void;
  /** Aborted at the latest when this process may no longer write, so that requests in progress end too. */
  readonly signal: AbortSignal | undefined;
}

export const openFence: Fence = { check: () => undefined, signal: undefined };

export function anySignal(left: AbortSignal | undefined, right: AbortSignal | undefined): AbortSignal | undefined {
  if (left === undefined) return right;
  return right === undefined || left === right ? left : AbortSignal.any([left, right]);
}
