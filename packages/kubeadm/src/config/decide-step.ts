import { isControlPlaneMachine, type Machine, type MachinePool, machinePools, machines } from '@slipway/cluster-api';
import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { Sources } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import type { BootstrapRole } from '../bootstrap-data/index.js';

/** The next step of a KubeadmConfig. */
export type BootstrapStep =
  | { readonly step: 'wait-for-infrastructure' }
  /**
   * The Machine has bootstrap data that the status does not record, because the objects were moved here or restored from a
   * backup.
   */
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
  /**
   * Taken from the condition, not from the status field that is never reset: machines join only while the control plane is known
   * to be initialized.
   */
  readonly controlPlaneInitialized: boolean;
  readonly dataSecretCreated: boolean;
  readonly dataSecretName: string | undefined;
  /** Whether machines use a bootstrap token for discovery. */
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

/**
 * Returns the step for existing data. A token must be valid until its machine has joined, and a MachinePool always needs a valid
 * one.
 */
function upkeepOf({ owner, usesToken }: StepFacts): BootstrapStep {
  if (!usesToken) return { step: 'keep' };
  if (!owner.hasNodes) return { step: 'refresh-token' };
  return { step: owner.kind === 'MachinePool' ? 'rotate-token' : 'keep' };
}

/** The Machine or MachinePool that the KubeadmConfig belongs to. */
export interface ConfigOwner {
  readonly kind: 'Machine' | 'MachinePool';
  readonly name: string;
  readonly clusterName: string;
  readonly isControlPlane: boolean;
  /** The version of kubeadm on the machine. */
  readonly version: string;
  /** Name of the bootstrap data Secret that the owner already references. */
  readonly dataSecretName: string | undefined;
  /** Whether all desired machines have a Node, so that the token is no longer needed. */
  readonly hasNodes: boolean;
}

const ownerGroup = 'cluster.x-k8s.io';

/**
 * Returns the owner of a KubeadmConfig. Undefined if it has none, or the owner is not in the cache yet. The event of the owner
 * triggers a reconcile.
 */
export function findConfigOwner(
  config: Pick<Frozen<KubeadmConfig>, 'metadata'>,
  sources: Sources,
  options: { readonly pools: boolean },
): ConfigOwner | undefined {
  const { namespace = '', ownerReferences = [] } = config.metadata;
  for (const { apiVersion, kind, name } of ownerReferences) {
    if (parseApiVersion(apiVersion).group !== ownerGroup) continue;
    if (kind === 'Machine') return describe(machineOwner, sources.sourceFor(machines).get({ namespace, name }));
    if (kind === 'MachinePool' && options.pools)
      return describe(machinePoolOwner, sources.sourceFor(machinePools).get({ namespace, name }));
  }
  return undefined;
}

function describe<T>(read: (object: T) => ConfigOwner, object: T | undefined): ConfigOwner | undefined {
  return object === undefined ? undefined : read(object);
}

export function machineOwner(machine: Frozen<Machine>): ConfigOwner {
  const { metadata, spec, status } = machine;
  return {
    kind: 'Machine',
    name: metadata.name ?? '',
    clusterName: spec.clusterName,
    isControlPlane: isControlPlaneMachine({ metadata }),
    version: spec.version ?? '',
    dataSecretName: spec.bootstrap.dataSecretName,
    hasNodes: status?.nodeRef !== undefined,
  };
}

/** Returns a MachinePool as owner. Ignores the control plane label: pools contain only workers. */
export function machinePoolOwner(pool: Frozen<MachinePool>): ConfigOwner {
  const { metadata, spec, status } = pool;
  const template = spec.template.spec;
  return {
    kind: 'MachinePool',
    name: metadata.name ?? '',
    clusterName: spec.clusterName,
    isControlPlane: false,
    version: template.version ?? '',
    dataSecretName: template.bootstrap.dataSecretName,
    hasNodes: (status?.nodeRefs ?? []).length === (spec.replicas ?? 1),
  };
}
