import { clusterOf, machines } from '@slipway/cluster-api';
import { parseApiVersion } from '@slipway/kube';
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
  const { metadata } = vsphereMachine as LeavingMachine<CommonMachine>['vsphereMachine'];
  const owner = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === machines.kind && parseApiVersion(apiVersion).group === machines.group,
  );
  const machine =
    owner === undefined
      ? undefined
      : sources.sourceFor(machines).get({ namespace: metadata.namespace ?? '', name: owner.name });
  return { vsphereMachine, machine, cluster: clusterOf(sources, machine ?? { metadata }) };
}
