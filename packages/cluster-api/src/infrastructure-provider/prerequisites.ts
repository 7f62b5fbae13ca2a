import { reasons } from '../api/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import type { MachineOwners } from './owners.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

export interface MissingOptions {
  /** Whether to wait for the infrastructure of the cluster. False if a machine may provide the endpoint of its cluster. */
  readonly waitsForInfrastructure?: boolean;
}

/** Returns what a machine waits for before it is created. All providers use the same messages. */
export function whatIsMissing(
  { cluster, machine }: MachineOwners,
  { waitsForInfrastructure = true }: MissingOptions = {},
): Missing | undefined {
  const { initialization } = cluster?.status ?? {};
  if (waitsForInfrastructure && initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true',
    };
  if (machine?.spec.bootstrap.dataSecretName !== undefined) return undefined;
  if (!(machine && isControlPlaneMachine(machine)) && initialization?.controlPlaneInitialized !== true)
    return {
      reason: reasons.waitingForControlPlaneInitialized,
      message: 'Waiting for Cluster control plane to be initialized',
    };
  return {
    reason: reasons.waitingForBootstrapData,
    message: 'Waiting for Machine spec.bootstrap.dataSecretName to be set',
  };
}
