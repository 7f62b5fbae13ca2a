import { deepEqual, type JsonValue, type RandomSource } from '@slipway/kube';
import { annotations, fieldManagers, finalizers, labels, revisionAnnotations } from '../api/index.js';
import { conversionDataAnnotation } from '../conversion/index.js';
import { drawUniqueName, isDeleting, nameOf, rolloutHash } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import {
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  type RolloutLimits,
  RolloutPlanError,
  strategyOf,
} from './rollout-plan.js';

type MachineSpec = MachineSetIntent['spec']['template']['spec'];

/** Annotations that are not propagated to MachineSets: they belong to the deployment itself, or have a computed value. */
const annotationsKept = new Set<string>([
  'kubectl.kubernetes.io/last-applied-configuration',
  conversionDataAnnotation,
  ...Object.values(revisionAnnotations),
]);

const nameLengthMax = 63;

/** The fields that differ between a new and an existing MachineSet. */
interface Identity {
  readonly name: string;
  readonly uid?: string;
  readonly identifier: string;
  readonly replicas: number;
  readonly machineSpec: MachineSpec;
  readonly finalizers: readonly string[];
}

export interface DesiredMachineSetInput {
  readonly deployment: ObservedDeployment;
  readonly limits: RolloutLimits;
  /** The revision annotations of the MachineSet. */
  readonly revision: Readonly<Record<string, string>>;
}

/** Returns a new MachineSet for the template of the deployment, with 0 replicas. */
export function newMachineSet(
  input: DesiredMachineSetInput,
  existing: readonly ObservedMachineSet[],
  random: RandomSource,
): MachineSetIntent {
  const { deployment } = input;
  const taken = new Set(existing.map(nameOf));
  const base = `${nameOf(deployment)}-`;
  const { name, suffix } = drawUniqueName(
    (drawn) => base.slice(0, nameLengthMax - drawn.length) + drawn,
    (drawn) => taken.has(drawn),
    random,
  );
  // The suffix distinguishes MachineSets with the same template. `rollout.after` creates such MachineSets.
  const identifier = `${rolloutHash(deployment.spec.template)}-${suffix}`;
  const machineSpec = deployment.spec.template.spec;
  const own = finalizersOf(deployment);
  return intentOf(input, { name, identifier, replicas: 0, machineSpec, finalizers: own }, 'false');
}

/** Returns the intent for the existing MachineSet with the current template. Machine creation is enabled on it. */
export function currentMachineSet(input: DesiredMachineSetInput, set: ObservedMachineSet): MachineSetIntent {
  return intentOf(input, identityOf(input.deployment, set), 'false');
}

/**
 * Returns the intent for an old MachineSet. With OnDelete, an old MachineSet must not recreate machines that the user
 * deleted.
 */
export function oldMachineSet(input: DesiredMachineSetInput, set: ObservedMachineSet): MachineSetIntent {
  return intentOf(
    input,
    identityOf(input.deployment, set),
    strategyOf(input.deployment) === 'OnDelete' ? 'true' : 'false',
  );
}

/**
 * Returns the finalizers of a new MachineSet. In a topology, the finalizer blocks deletion until unused templates are deleted.
 */
function finalizersOf(deployment: ObservedDeployment): string[] {
  const isOfTopology = Object.hasOwn(deployment.spec.template.metadata?.labels ?? {}, labels.topologyOwned);
  return isOfTopology ? [finalizers.machineSet, finalizers.machineSetTopology] : [finalizers.machineSet];
}

/** Returns the finalizers of an existing MachineSet. A deleting MachineSet does not get back finalizers that were removed. */
function finalizersInPlace(deployment: ObservedDeployment, set: ObservedMachineSet): string[] {
  const own = finalizersOf(deployment);
  return isDeleting(set) ? own.filter((finalizer) => set.metadata.finalizers?.includes(finalizer)) : own;
}

function identityOf(deployment: ObservedDeployment, set: ObservedMachineSet): Identity {
  const name = nameOf(set);
  const identifier = set.metadata.labels?.[labels.machineTemplateHash];
  if (identifier === undefined)
    throw new RolloutPlanError(
      'IdentifierMissing',
      `MachineSet ${name} has no label ${labels.machineTemplateHash}, which identifies its machines; restore the label or delete the MachineSet`,
    );
  const uid = set.metadata.uid;
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    identifier,
    replicas: set.spec.replicas ?? 0,
    machineSpec: set.spec.template.spec,
    finalizers: finalizersInPlace(deployment, set),
  };
}

function intentOf(input: DesiredMachineSetInput, identity: Identity, disableCreate: string): MachineSetIntent {
  const { deployment, limits, revision } = input;
  const { name, uid, identifier, replicas } = identity;
  const unique = { [labels.machineTemplateHash]: identifier };
  const template = deployment.spec.template;
  const deploymentName = nameOf(deployment);
  const { deletion, machineNaming, clusterName, selector } = deployment.spec;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: {
      name,
      namespace: deployment.metadata.namespace ?? '',
      ...(uid === undefined ? {} : { uid }),
      labels: { ...template.metadata?.labels, ...unique, [labels.deploymentName]: formatLabelValue(deploymentName) },
      annotations: {
        ...annotationsFrom(deployment),
        [revisionAnnotations.desiredReplicas]: String(limits.replicas),
        [revisionAnnotations.maxReplicas]: String(limits.replicas + limits.maxSurge),
        ...revision,
        [annotations.disableMachineCreate]: disableCreate,
      },
      ownerReferences: [ownerReferenceOf(deployment)],
      finalizers: identity.finalizers,
    },
    spec: {
      clusterName,
      replicas,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...unique } },
      ...(deletion?.order === undefined ? {} : { deletion: { order: deletion.order } }),
      ...(machineNaming?.template === undefined ? {} : { machineNaming }),
      template: {
        metadata: {
          labels: { ...template.metadata?.labels, ...unique },
          ...(hasKeys(template.metadata?.annotations) ? { annotations: template.metadata?.annotations } : {}),
        },
        spec: machineSpecInPlace(identity.machineSpec, template.spec),
      },
    },
  };
}

/** Returns the machine spec with in-place mutable fields from the deployment and all others from the MachineSet. */
function machineSpecInPlace(current: MachineSpec, desired: MachineSpec): MachineSpec {
  const { minReadySeconds: _seconds, readinessGates: _gates, deletion: _deletion, taints: _taints, ...fixed } = current;
  const { minReadySeconds, readinessGates, deletion, taints } = desired;
  return {
    ...fixed,
    ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
    ...(readinessGates === undefined ? {} : { readinessGates }),
    ...(hasKeys(deletion) ? { deletion } : {}),
    ...(taints === undefined ? {} : { taints }),
  };
}

function hasKeys(object: object | undefined): boolean {
  return object !== undefined && Object.keys(object).length > 0;
}

function annotationsFrom(deployment: ObservedDeployment): Record<string, string> {
  const all = Object.entries(deployment.metadata.annotations ?? {});
  return Object.fromEntries(all.filter(([key]) => !annotationsKept.has(key)));
}

function ownerReferenceOf(deployment: ObservedDeployment): MachineSetIntent['metadata']['ownerReferences'][number] {
  return {
    apiVersion: deployment.apiVersion,
    kind: deployment.kind,
    name: nameOf(deployment),
    uid: deployment.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

interface Revision {
  readonly revision: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns the revision annotations of the new MachineSet, which has the highest revision. A reused MachineSet also lists its
 * former revisions.
 */
export function revisionOfNewSet(
  current: ObservedMachineSet | undefined,
  old: readonly ObservedMachineSet[],
): Revision {
  const highest = Math.max(0, ...old.map(numberOf));
  const own = current?.metadata.annotations?.[revisionAnnotations.revision];
  const history = current?.metadata.annotations?.[revisionAnnotations.revisionHistory] ?? '';
  if (current !== undefined && own !== undefined && numberOf(current) > highest) return revisionWith(own, history);
  const revision = String(highest + 1);
  if (own === undefined || own === '') return revisionWith(revision, history);
  return revisionWith(revision, history === '' ? own : `${history},${own}`);
}

/** Returns the revision annotations of an old MachineSet unchanged. */
export function revisionOfOldSet(set: ObservedMachineSet): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const key of [revisionAnnotations.revision, revisionAnnotations.revisionHistory]) {
    const value = set.metadata.annotations?.[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

function revisionWith(revision: string, history: string): Revision {
  const annotations: Record<string, string> = { [revisionAnnotations.revision]: revision };
  if (history !== '') annotations[revisionAnnotations.revisionHistory] = history;
  return { revision, annotations };
}

/** Returns the revision number of a MachineSet. A value that is not a number counts as 0, never rolled out. */
function numberOf(set: ObservedMachineSet): number {
  const revision = Number(set.metadata.annotations?.[revisionAnnotations.revision] ?? 0);
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}

/**
 * Returns the fields that differ between a MachineSet and its intent, without replicas. Empty if an apply would change nothing.
 */
export function differingFields(set: ObservedMachineSet, intent: MachineSetIntent): string[] {
  const fields: string[] = [];
  for (const field of ['labels', 'annotations'] as const)
    if (mapDiffers(set, field, intent.metadata[field])) fields.push(`metadata.${field}`);
  if (!hasOwner(set, intent)) fields.push('metadata.ownerReferences');
  for (const field of ['selector', 'deletion', 'machineNaming'] as const)
    if (!deepEqual(set.spec[field], intent.spec[field])) fields.push(`spec.${field}`);
  const { metadata = {}, spec } = set.spec.template;
  if (!deepEqual(metadata, intent.spec.template.metadata)) fields.push('spec.template.metadata');
  if (!deepEqual(spec, intent.spec.template.spec)) fields.push('spec.template.spec');
  return fields;
}

/**
 * Returns whether labels or annotations differ. Only keys that the deployment sets or has set are compared: other managers may
 * add keys.
 */
function mapDiffers(
  set: ObservedMachineSet,
  field: 'labels' | 'annotations',
  intended: Readonly<Record<string, string>>,
): boolean {
  const current = set.metadata[field] ?? {};
  const missing = Object.keys(intended).some((key) => !Object.hasOwn(current, key) || current[key] !== intended[key]);
  return missing || keysOwnedBefore(set, field).some((key) => !Object.hasOwn(intended, key));
}

function keysOwnedBefore(set: ObservedMachineSet, field: 'labels' | 'annotations'): string[] {
  const entry = set.metadata.managedFields?.find(({ manager }) => manager === fieldManagers.machineDeployment);
  const owned = keyOf(keyOf(entry?.fieldsV1, 'f:metadata'), `f:${field}`);
  return isObject(owned)
    ? Object.keys(owned)
        .filter((key) => key.startsWith('f:'))
        .map((key) => key.slice(2))
    : [];
}

function keyOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOwner(set: ObservedMachineSet, intent: MachineSetIntent): boolean {
  return intent.metadata.ownerReferences.every(({ uid, controller }) =>
    set.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === controller),
  );
}
