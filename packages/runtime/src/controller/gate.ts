import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Fence, openFence } from '../leader-election/fence.js';

/** Decides which objects this process may act on, and for how long. */
export interface Gate {
  /** What an object is assigned by; undefined where one answer holds for all. */
  readonly shardKeyOf?: (object: Frozen<KubeObject>) => string;
  /** The fence for writes about that object; undefined when another process acts on it. */
  fenceFor(shardKey: string): Fence | undefined;
  /** Called when this process may act on more than before. */
  onGained(listener: () => void): Disposable;
}

export const openGate: Gate = {
  fenceFor: () => openFence,
  onGained: () => ({ dispose: () => undefined }),
};

/** One fence for everything: a leader's. */
export function gateOf(fence: Fence): Gate {
  return { ...openGate, fenceFor: () => fence };
}
