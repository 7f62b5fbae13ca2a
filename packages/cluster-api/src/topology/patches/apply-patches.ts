import type { ReconcileContext } from '@slipway/runtime';
import type { Blueprint, DesiredState, ObservedCluster } from '../topology-state.js';

/** Applies the patches of the class to the desired objects, in place. */
export type ApplyPatches = (
  context: ReconcileContext,
  blueprint: Blueprint,
  cluster: ObservedCluster,
  desired: DesiredState,
) => Promise<void>;
