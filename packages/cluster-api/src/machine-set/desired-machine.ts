import { cloneJson, deepEqual, type Frozen, type KubeObject, type OwnerReference } from '@slipway/kube';
import { finalizers, labels } from '../api/index.js';
import type { Machine } from '../api/index.js';
import { cloneTemplate, kindOfTemplate } from '../contract/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import type { MachineIntent, ObservedMachineSet } from './replica-plan.js';

type Spec = Frozen<Machine['spec']>;

/** A new machine of the set, with references to the objects that are made for it under the same name. */
export function newMachine(set: ObservedMachineSet, name: string): MachineIntent {
  const { bootstrap, infrastructureRef, ...rest } = set.spec.template.spec;
  const { configRef } = bootstrap;
  const spec: Spec = {
    ...rest,
    clusterName: set.spec.clusterName,
    bootstrap: configRef === undefined ? bootstrap : { configRef: referenceTo(configRef, name) },
    infrastructureRef: referenceTo(infrastructureRef, name),
  };
  // With the finalizer from the start nothing leaks when the machine is deleted before it was ever looked at.
  return machineIntent(set, { name, finalizers: [finalizers.machine] }, spec);
}

/** A machine that exists, with all that it can take over from its set while it lives. */
export function machineInPlace(set: ObservedMachineSet, machine: ObservedMachine): MachineIntent {
  const name = nameOf(machine);
  const uid = machine.metadata.uid;
  const { minReadySeconds, readinessGates, deletion, taints } = set.spec.template.spec;
  const {
    minReadySeconds: _seconds,
    readinessGates: _gates,
    deletion: _deletion,
    taints: _taints,
    ...own
  } = machine.spec;
  const spec: Spec = {
    ...own,
    ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
    ...(readinessGates === undefined ? {} : { readinessGates }),
    ...(deletion === undefined ? {} : { deletion }),
    ...(taints === undefined ? {} : { taints }),
  };
  return machineIntent(set, { name, ...(uid === undefined ? {} : { uid }) }, spec);
}

/** All that a machine in deletion still takes over: how long the steps of it may take. Undefined when it has them. */
export function deletionTimeoutsInPlace(set: ObservedMachineSet, machine: ObservedMachine): Spec['deletion'] {
  const wanted = set.spec.template.spec.deletion ?? {};
  return deepEqual(machine.spec.deletion ?? {}, wanted) ? undefined : wanted;
}

/** A template names the kind of what is made from it, with `Template` behind it; other references stay as they are. */
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
      labels: machineLabels(set),
      annotations: { ...set.spec.template.metadata?.annotations },
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

/** The object that a bootstrap or infrastructure template describes, for a machine. Owned by the set until it has one. */
export function cloneForMachine(
  template: Frozen<KubeObject>,
  set: ObservedMachineSet,
  machine: MachineIntent,
): KubeObject {
  const { name = '', namespace = '', labels: ownLabels, annotations: ownAnnotations } = machine.metadata;
  return cloneTemplate(template, {
    name,
    namespace,
    clusterName: set.spec.clusterName,
    ...(ownLabels && { labels: ownLabels }),
    ...(ownAnnotations && { annotations: ownAnnotations }),
    owner: ownerReferenceOf(set),
  });
}
