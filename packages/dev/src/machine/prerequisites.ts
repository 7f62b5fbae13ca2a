import { labels, reasons } from '@slipway/cluster-api';
import type { ObservedDevMachine } from './observe.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

export function isControlPlane({ machine }: Pick<ObservedDevMachine, 'machine'>): boolean {
  return Object.hasOwn(machine?.metadata.labels ?? {}, labels.controlPlane);
}

/** What a machine waits for before it is switched on. */
export function whatIsMissing(observed: ObservedDevMachine): Missing | undefined {
  const { cluster, machine } = observed;
  if (cluster?.status?.initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'the infrastructure of the Cluster is not provisioned yet',
    };
  if (machine?.spec.bootstrap.dataSecretName !== undefined) return undefined;
  if (!isControlPlane(observed) && cluster.status.initialization.controlPlaneInitialized !== true)
    return {
      reason: reasons.waitingForControlPlaneInitialized,
      message: 'the control plane of the Cluster is not initialized yet',
    };
  return { reason: reasons.waitingForBootstrapData, message: 'the bootstrap data of the Machine is not there yet' };
}
