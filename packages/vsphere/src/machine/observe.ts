import { machineOwnersOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, Resource, Sources } from '@slipway/runtime';
import type { CommonMachine, LeavingMachine } from './vm-service.js';

/** A VSphereMachine with the Machine that owns it and the Cluster of both; undefined once it is gone. */
export function observeMachine<M extends CommonMachine>(
  sources: Sources,
  resource: Resource<M>,
  key: ObjectKey,
): LeavingMachine<M> | undefined {
  const vsphereMachine = sources.sourceFor(resource).get(key);
  if (vsphereMachine === undefined) return undefined;
  return { vsphereMachine, ...machineOwnersOf(sources, vsphereMachine as Frozen<CommonMachine>) };
}
