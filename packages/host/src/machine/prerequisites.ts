import { labels, reasons } from '@slipway/cluster-api';
import { isDeleting } from '@slipway/runtime';
import { hostClusters } from '../api/index.js';
import type { ObservedHostMachine } from './observe.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

/** What a machine waits for before it can be started. */
export function whatIsMissing(observed: ObservedHostMachine): Missing | undefined {
  const { cluster, machine } = observed;
  const infrastructure = infrastructureMissing(observed);
  if (infrastructure !== undefined) return infrastructure;
  if (machine?.spec.bootstrap.dataSecretName !== undefined) return undefined;
  const isControlPlane = Object.hasOwn(machine?.metadata.labels ?? {}, labels.controlPlane);
  if (!isControlPlane && cluster?.status?.initialization?.controlPlaneInitialized !== true)
    return {
      reason: reasons.waitingForControlPlaneInitialized,
      message: 'the control plane of the Cluster is not initialized yet',
    };
  return { reason: reasons.waitingForBootstrapData, message: 'the bootstrap data of the Machine is not there yet' };
}

function infrastructureMissing({ cluster, hostCluster }: ObservedHostMachine): Missing | undefined {
  const isProvisioned = cluster?.status?.initialization?.infrastructureProvisioned === true;
  if (isProvisioned && hostCluster !== undefined && !isDeleting(hostCluster)) return undefined;
  const { kind = hostClusters.kind } = cluster?.spec.infrastructureRef ?? {};
  const message =
    kind === hostClusters.kind
      ? 'the infrastructure of the Cluster is not provisioned yet'
      : `the Cluster's infrastructure is a ${kind}: HostMachines work with a HostCluster`;
  return { reason: reasons.waitingForClusterInfrastructureReady, message };
}
