import type { Disposable } from '@slipway/base';

/** A view that changes. Whoever opens it gets the whole at once, and then what changes. */
export interface Feed {
  /** Frames are lines of JSON: see `Frame`. */
  open(send: (frame: string) => void): { dispose(): void };
}

export interface ClosableFeed extends Feed, Disposable {
  /** How many look at it. */
  readonly viewers: number;
}
