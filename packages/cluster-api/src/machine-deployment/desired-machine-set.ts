import type { RandomSource } from '@slipway/kube';
import { annotations, finalizers, labels, revisionAnnotations } from '../api/index.js';
import { conversionDataAnnotation } from '../conversion/index.js';
import { drawUniqueName, isDeleting, nameOf, rolloutHash } from '../machines/index.js';
import { formatLabelValue } from '../naming/index.js';
import { type RolloutLimits, strategyOf } from './rollout-limits.js';
import {
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  RolloutPlanError,
} from './rollout-plan.js';

type MachineSpec = MachineSetIntent['spec']['template']['spec'];

/** Written by others for this object alone, or by us with another value. */
const annotationsKept = new Set<string>([
  'kubectl.kubernetes.io/last-applied-configuration',
  conversionDataAnnotation,
  ...Object.values(revisionAnnotations),
]);

const nameLengthMax = 63;

/** What a set is made from: one that exists, or a new one. */
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
  /** Revision annotations of the set. */
  readonly revision: Readonly<Record<string, string>>;
}

/** A set for the template of the deployment, without machines as yet. */
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
  // The suffix tells sets with one template apart, as `rollout.after` makes them.
  const identifier = `${rolloutHash(deployment.spec.template)}-${suffix}`;
  const machineSpec = deployment.spec.template.spec;
  const own = finalizersOf(deployment);
  return intentOf(input, { name, identifier, replicas: 0, machineSpec, finalizers: own }, 'false');
}

/** The new set as it should be; its machines can always be made. */
export function currentMachineSet(input: DesiredMachineSetInput, set: ObservedMachineSet): MachineSetIntent {
  return intentOf(input, identityOf(input.deployment, set), 'false');
}

/** An old set as it should be. When the user decides which machines go, it must not make them again. */
export function oldMachineSet(input: DesiredMachineSetInput, set: ObservedMachineSet): MachineSetIntent {
  return intentOf(
    input,
    identityOf(input.deployment, set),
    strategyOf(input.deployment) === 'OnDelete' ? 'true' : 'false',
  );
}

/** A set of a topology also waits until its templates are cleaned up. */
function finalizersOf(deployment: ObservedDeployment): string[] {
  const isOfTopology = Object.hasOwn(deployment.spec.template.metadata?.labels ?? {}, labels.topologyOwned);
  return isOfTopology ? [finalizers.machineSet, finalizers.machineSetTopology] : [finalizers.machineSet];
}

/** What a set in deletion has let go of must not come back. */
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
      `MachineSet ${name} has no label ${labels.machineTemplateHash}, which tells its machines from others; restore the label or delete the MachineSet`,
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

/** What machines can take over while they live comes from the deployment, the rest stays as the set has it. */
function machineSpecInPlace(current: MachineSpec, wanted: MachineSpec): MachineSpec {
  const { minReadySeconds: _seconds, readinessGates: _gates, deletion: _deletion, taints: _taints, ...fixed } = current;
  const { minReadySeconds, readinessGates, deletion, taints } = wanted;
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
