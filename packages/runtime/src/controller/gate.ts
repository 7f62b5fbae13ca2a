import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Fence, openFence } from '../leader-election/fence.js';

/** Decides which objects this process may reconcile, and for how long. */
export interface Gate {
  /** Returns the key by which an object is assigned. Undefined if one decision applies to all objects. */
  readonly shardKeyOf?: (object: Frozen<KubeObject>) => string;
  /** Returns the fence for writes about that object. Undefined if another process reconciles it. */
  fenceFor(shardKey: string): Fence | undefined;
  /** Called when this process becomes responsible for more objects. */
  onGained(listener: () => void): Disposable;
}

export const openGate: Gate = {
  fenceFor: () => openFence,
  onGained: () => ({ dispose: () => undefined }),
};

/** One fence for all objects: that of a leader. */
export function gateOf(fence: Fence): Gate {
  return { ...openGate, fenceFor: () => fence };
}
