import {
  cloneJson,
  deepEqual,
  type Frozen,
  type JsonObject,
  type KubeObject,
  type OwnerReference,
} from '@slipway/kube';
import { finalizers, labels, type Machine } from '../api/index.js';
import { cloneTemplate, kindOfTemplate } from '../contract/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import type { MachineIntent, ObservedMachineSet } from './replica-planner.js';

type Spec = Frozen<Machine['spec']>;

/**
 * Returns a new machine of the set. It references the bootstrap and infrastructure objects that are created under the same name.
 */
export function newMachine(set: ObservedMachineSet, name: string): MachineIntent {
  const { bootstrap, infrastructureRef, ...rest } = set.spec.template.spec;
  const { configRef } = bootstrap;
  const spec: Spec = {
    ...rest,
    clusterName: set.spec.clusterName,
    bootstrap: configRef === undefined ? bootstrap : { configRef: referenceTo(configRef, name) },
    infrastructureRef: referenceTo(infrastructureRef, name),
  };
  // The finalizer is set at creation, so that nothing leaks if the machine is deleted before its first reconcile.
  return machineIntent(set, { name, finalizers: [finalizers.machine] }, spec);
}

/**
 * Returns the intent for an existing machine: all in-place mutable fields of its set. Immutable fields and those that the machine
 * controller sets, such as providerID, are kept.
 */
export function machineInPlace(set: ObservedMachineSet, machine: ObservedMachine): MachineIntent {
  const name = nameOf(machine);
  const uid = machine.metadata.uid;
  const { minReadySeconds, readinessGates, deletion, taints } = set.spec.template.spec;
  const { version, failureDomain, infrastructureRef } = machine.spec;
  const spec: Spec = {
    clusterName: set.spec.clusterName,
    ...(version === undefined ? {} : { version }),
    ...(failureDomain === undefined ? {} : { failureDomain }),
    bootstrap: bootstrapInPlace(machine),
    infrastructureRef,
    ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
    ...(readinessGates === undefined ? {} : { readinessGates }),
    ...(deletion === undefined ? {} : { deletion }),
    ...(taints === undefined ? {} : { taints }),
  };
  return machineIntent(set, { name, ...(uid === undefined ? {} : { uid }), finalizers: [finalizers.machine] }, spec);
}

/** Returns the bootstrap field. With a configRef, omits dataSecretName, which the machine controller sets. */
function bootstrapInPlace({ spec: { bootstrap } }: ObservedMachine): Spec['bootstrap'] {
  return bootstrap.configRef === undefined ? bootstrap : { configRef: bootstrap.configRef };
}

/** Returns the fields that `machineInPlace` takes from the set. They are equal for all its machines. */
export function inPlacePartOf(set: ObservedMachineSet): JsonObject {
  const { minReadySeconds = null, readinessGates = null, deletion = null, taints = null } = set.spec.template.spec;
  const fields = { minReadySeconds, readinessGates, deletion, taints } as JsonObject;
  return { ...fields, ...metadataForMachines(set) };
}

/**
 * Returns the labels and annotations that machines, their infrastructure and their bootstrap configuration inherit from the set.
 */
function metadataForMachines(set: ObservedMachineSet): {
  labels: Record<string, string>;
  annotations?: Record<string, string>;
} {
  const annotations = { ...set.spec.template.metadata?.annotations };
  // Omit an empty map: server-side apply would own the map itself, and every annotation that a user applies would
  // conflict with it.
  return { labels: machineLabels(set), ...(Object.keys(annotations).length > 0 && { annotations }) };
}

const nodeDeletionTimeoutSecondsDefault = 10;

/** Returns the deletion timeouts, the only fields that a deleting machine still inherits. Undefined if they are up to date. */
export function deletionTimeoutsInPlace(set: ObservedMachineSet, machine: ObservedMachine): Spec['deletion'] {
  // Includes the default, because the server sets it again whenever the field is removed.
  const desired = {
    nodeDeletionTimeoutSeconds: nodeDeletionTimeoutSecondsDefault,
    ...set.spec.template.spec.deletion,
  };
  return deepEqual(machine.spec.deletion ?? {}, desired) ? undefined : desired;
}

/**
 * Returns a reference to the object that is created from a template: its kind without the suffix `Template`. A reference to any
 * other kind is returned unchanged.
 */
function referenceTo<T extends { readonly kind: string; readonly name: string }>(reference: T, name: string): T {
  const kind = kindOfTemplate(reference.kind);
  return kind === reference.kind ? reference : { ...reference, kind, name };
}

function machineIntent(
  set: ObservedMachineSet,
  identity: Pick<MachineIntent['metadata'], 'name' | 'uid' | 'finalizers'>,
  spec: Spec,
): MachineIntent {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...identity,
      namespace: set.metadata.namespace ?? '',
      ...metadataForMachines(set),
      ownerReferences: [{ ...ownerReferenceOf(set), controller: true, blockOwnerDeletion: true }],
    },
    spec: cloneJson(spec) as Machine['spec'],
  };
}

function machineLabels(set: ObservedMachineSet): Record<string, string> {
  const deployment = set.metadata.labels?.[labels.deploymentName];
  return {
    ...set.spec.template.metadata?.labels,
    [labels.setName]: formatLabelValue(nameOf(set)),
    ...(deployment === undefined ? {} : { [labels.deploymentName]: deployment }),
    [labels.clusterName]: set.spec.clusterName,
  };
}

function ownerReferenceOf(set: ObservedMachineSet): OwnerReference {
  return { apiVersion: set.apiVersion, kind: set.kind, name: nameOf(set), uid: set.metadata.uid ?? '' };
}

/**
 * Returns the bootstrap or infrastructure object of a machine, created from a template. The set owns it until the machine exists.
 * Labels and annotations of the set are applied by a separate field manager, so that they can be removed.
 */
export function cloneForMachine(template: Frozen<KubeObject>, set: ObservedMachineSet, name: string): KubeObject {
  return cloneTemplate(template, {
    name,
    namespace: set.metadata.namespace ?? '',
    clusterName: set.spec.clusterName,
    owner: ownerReferenceOf(set),
  });
}

/** Returns the labels and annotations of the set as an intent for the bootstrap or infrastructure object of a machine. */
export function metadataIntent(set: ObservedMachineSet, object: Frozen<KubeObject>): JsonObject {
  const { name = '', namespace = '', uid = '' } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name, namespace, uid, ...metadataForMachines(set) },
  };
}
