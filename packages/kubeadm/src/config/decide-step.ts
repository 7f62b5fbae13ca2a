import { isControlPlaneMachine, type Machine, type MachinePool, machinePools, machines } from '@slipway/cluster-api';
import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { Sources } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import type { BootstrapRole } from '../bootstrap-data/index.js';

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

/** The Machine or MachinePool that a KubeadmConfig boots. */
export interface ConfigOwner {
  readonly kind: 'Machine' | 'MachinePool';
  readonly name: string;
  readonly clusterName: string;
  readonly isControlPlane: boolean;
  /** Of the kubeadm on the machine. */
  readonly version: string;
  /** The bootstrap data that it was already given. */
  readonly dataSecretName: string | undefined;
  /** Every machine that was asked for has become a Node: its token is used up. */
  readonly hasNodes: boolean;
}

const ownerGroup = 'cluster.x-k8s.io';

/** Undefined while nothing owns the config, or its owner is not known yet: its event brings the config back. */
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

/** The label of a control plane says nothing on a pool: pools hold workers. */
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
