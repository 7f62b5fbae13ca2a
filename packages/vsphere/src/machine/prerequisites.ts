import { labels, type Machine, type ObservedCluster, reasons } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { wait } from '@slipway/runtime';
import type { VmWaiting } from './vm-service.js';

export function isControlPlane(machine: Pick<Frozen<Machine>, 'metadata'>): boolean {
  return Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane);
}

/** What a machine waits for before its virtual machine is made. Watches tell when it is there. */
export function whatIsMissing(
  { machine, cluster }: { readonly machine: Frozen<Machine>; readonly cluster: ObservedCluster },
  waitsForInfrastructure: boolean,
): VmWaiting | undefined {
  const { initialization } = cluster.status ?? {};
  if (waitsForInfrastructure && initialization?.infrastructureProvisioned !== true) {
    return waiting(
      reasons.waitingForClusterInfrastructureReady,
      'WaitingForClusterInfrastructure',
      'the infrastructure of the Cluster is not provisioned yet',
    );
  }
  if (machine.spec.bootstrap.dataSecretName !== undefined) return undefined;
  if (!isControlPlane(machine) && initialization?.controlPlaneInitialized !== true) {
    return waiting(
      reasons.waitingForControlPlaneInitialized,
      'WaitingForControlPlaneAvailable',
      'the control plane of the Cluster is not initialized yet',
    );
  }
  return waiting(
    reasons.waitingForBootstrapData,
    'WaitingForBootstrapData',
    'the bootstrap data of the Machine is not there yet',
  );
}

function waiting(reason: string, oldReason: string, message: string): VmWaiting {
  return {
    type: 'waiting',
    condition: { status: 'False', reason, message },
    old: { status: 'False', reason: oldReason, severity: 'Info', message },
    outcome: wait({ reason, message }),
  };
}
