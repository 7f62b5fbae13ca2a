import type { BootstrapRole } from '../bootstrap-data/index.js';
import type { ConfigOwner } from './config-owner.js';

/** What is to be done for a config next. */
export type BootstrapStep =
  | { readonly step: 'wait-for-infrastructure' }
  /** The owner has bootstrap data that the status does not know of: it was moved here, or restored from a backup. */
  | { readonly step: 'restore'; readonly dataSecretName: string }
  | { readonly step: 'keep' }
  | { readonly step: 'refresh-token' }
  | { readonly step: 'rotate-token' }
  | { readonly step: 'wait-for-control-plane' }
  | { readonly step: 'initialize' }
  | { readonly step: 'join'; readonly role: Exclude<BootstrapRole, 'init'> };

export interface StepFacts {
  readonly owner: Pick<ConfigOwner, 'kind' | 'isControlPlane' | 'hasNodes' | 'dataSecretName'>;
  readonly infrastructureProvisioned: boolean;
  /** The condition, not the latch: a control plane is joined only while it is known to be there. */
  readonly controlPlaneInitialized: boolean;
  readonly dataSecretCreated: boolean;
  readonly dataSecretName: string | undefined;
  /** Machines find the cluster by a bootstrap token. */
  readonly usesToken: boolean;
}

export function decideStep(facts: StepFacts): BootstrapStep {
  const { owner } = facts;
  if (!facts.infrastructureProvisioned) return { step: 'wait-for-infrastructure' };
  if (isForgotten(facts)) return { step: 'restore', dataSecretName: owner.dataSecretName ?? '' };
  if (facts.dataSecretCreated) return upkeepOf(facts);
  if (!facts.controlPlaneInitialized) return { step: owner.isControlPlane ? 'initialize' : 'wait-for-control-plane' };
  return { step: 'join', role: owner.isControlPlane ? 'control-plane-join' : 'worker-join' };
}

function isForgotten({ owner, dataSecretCreated, dataSecretName }: StepFacts): boolean {
  return (owner.dataSecretName ?? '') !== '' && (!dataSecretCreated || (dataSecretName ?? '') === '');
}

/** A token has to live until its machine has joined; a pool needs one at any time. */
function upkeepOf({ owner, usesToken }: StepFacts): BootstrapStep {
  if (!usesToken) return { step: 'keep' };
  if (!owner.hasNodes) return { step: 'refresh-token' };
  return { step: owner.kind === 'MachinePool' ? 'rotate-token' : 'keep' };
}
