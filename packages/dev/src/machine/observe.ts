import { clusterOf, type Machine, machines, type ObservedCluster } from '@slipway/cluster-api';
import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { ObjectKey, Sources } from '@slipway/runtime';
import { type DevMachine, devMachines } from '../api/index.js';

export interface ObservedDevMachine {
  readonly devMachine: Frozen<DevMachine>;
  /** Undefined until the Machine controller has taken the object over. */
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
}

export function observe(sources: Sources, key: ObjectKey): ObservedDevMachine | undefined {
  const devMachine = sources.sourceFor(devMachines).get(key);
  if (devMachine === undefined) return undefined;
  const owner = devMachine.metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === machines.kind && parseApiVersion(apiVersion).group === machines.group,
  );
  const { namespace = '' } = devMachine.metadata;
  const machine = owner === undefined ? undefined : sources.sourceFor(machines).get({ namespace, name: owner.name });
  return { devMachine, machine, cluster: clusterOf(sources, machine ?? { metadata: devMachine.metadata }) };
}
