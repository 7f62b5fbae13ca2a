import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Fence, openFence } from '../leader-election/fence.js';

/** Decides which objects this process may reconcile, and for how long. */
export interface Gate {
  /** Returns the key by which an object is assigned to a process. Absent if one decision applies to all objects. */
  readonly shardKeyOf?: (object: Frozen<KubeObject>) => string;
  /** Returns the fence for writes on behalf of objects with this key, or undefined if another process reconciles them. */
  fenceFor(shardKey: string): Fence | undefined;
  /** Adds a listener that is called when this process becomes responsible for more objects. */
  onGained(listener: () => void): Disposable;
}

export const openGate: Gate = {
  fenceFor: () => openFence,
  onGained: () => ({ dispose: () => undefined }),
};

/** Returns a gate with one fence for all objects, such as the fence of a leader. */
export function gateOf(fence: Fence): Gate {
  return { ...openGate, fenceFor: () => fence };
}
