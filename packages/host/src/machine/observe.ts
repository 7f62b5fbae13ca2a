import { clusterOf, type Machine, machines, type ObservedCluster } from '@slipway/cluster-api';
import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { ObjectKey, Sources } from '@slipway/runtime';
import { type HostCluster, hostClusters, type HostMachine, hostMachines } from '../api/index.js';

export interface ObservedHostMachine {
  readonly hostMachine: Frozen<HostMachine>;
  /** Undefined until the Machine controller has taken the object over. */
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
  readonly hostCluster: Frozen<HostCluster> | undefined;
}

export function observe(sources: Sources, key: ObjectKey): ObservedHostMachine | undefined {
  const hostMachine = sources.sourceFor(hostMachines).get(key);
  if (hostMachine === undefined) return undefined;
  const owner = hostMachine.metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === machines.kind && parseApiVersion(apiVersion).group === machines.group,
  );
  const { namespace = '' } = hostMachine.metadata;
  const machine = owner === undefined ? undefined : sources.sourceFor(machines).get({ namespace, name: owner.name });
  const cluster = clusterOf(sources, machine ?? { metadata: hostMachine.metadata });
  const { kind = '', name = '' } = cluster?.spec.infrastructureRef ?? {};
  const hostCluster = kind === hostClusters.kind ? sources.sourceFor(hostClusters).get({ namespace, name }) : undefined;
  return { hostMachine, machine, cluster, hostCluster };
}
