import { reasons } from '../api/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import type { MachineOwners } from './owners.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

/** What a machine waits for before it is switched on, in the words that every provider uses. */
export function whatIsMissing({ cluster, machine }: MachineOwners): Missing | undefined {
  if (cluster?.status?.initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'the infrastructure of the Cluster is not provisioned yet',
    };
  if (machine?.spec.bootstrap.dataSecretName !== undefined) return undefined;
  if (!(machine && isControlPlaneMachine(machine)) && cluster.status.initialization.controlPlaneInitialized !== true)
    return {
      reason: reasons.waitingForControlPlaneInitialized,
      message: 'the control plane of the Cluster is not initialized yet',
    };
  return { reason: reasons.waitingForBootstrapData, message: 'the bootstrap data of the Machine is not there yet' };
}
