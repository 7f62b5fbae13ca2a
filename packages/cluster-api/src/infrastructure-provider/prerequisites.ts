import { reasons } from '../api/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import type { MachineOwners } from './owners.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

export interface MissingOptions {
  /** False where the endpoint of a cluster may come from its machines, so that they cannot wait for it. */
  readonly waitsForInfrastructure?: boolean;
}

/** What a machine waits for before it is switched on, in the words that every provider uses. */
export function whatIsMissing(
  { cluster, machine }: MachineOwners,
  { waitsForInfrastructure = true }: MissingOptions = {},
): Missing | undefined {
  const { initialization } = cluster?.status ?? {};
  if (waitsForInfrastructure && initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'the infrastructure of the Cluster is not provisioned yet',
    };
  if (machine?.spec.bootstrap.dataSecretName !== undefined) return undefined;
  if (!(machine && isControlPlaneMachine(machine)) && initialization?.controlPlaneInitialized !== true)
    return {
      reason: reasons.waitingForControlPlaneInitialized,
      message: 'the control plane of the Cluster is not initialized yet',
    };
  return { reason: reasons.waitingForBootstrapData, message: 'the bootstrap data of the Machine is not there yet' };
}
