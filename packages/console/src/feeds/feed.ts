import type { Disposable } from '@slipway/base';

/** A live view. A subscriber gets the complete value first, then the changes. */
export interface Feed {
  /** Sends frames to a subscriber. Frames are lines of JSON, see `Frame`. */
  open(send: (frame: string) => void): { dispose(): void };
}

export interface ClosableFeed extends Feed, Disposable {
  /** The number of open subscriptions. */
  readonly subscriberCount: number;
}
