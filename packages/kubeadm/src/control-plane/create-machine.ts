import {
  cloneTemplate,
  fingerprintOf,
  formatLabelValue,
  isDeleting,
  kindOfTemplate,
  labels,
  type Machine,
  machines,
  nameOf,
  type ObservedMachine,
  resolveKind,
} from '@slipway/cluster-api';
import { asJson, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  type ApplyChange,
  type Cause,
  FencedError,
  isOwnedBy,
  keyOf,
  labelIndex,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { controlPlaneAnnotations, kubeadmConfigs, kubeadmFieldManagers } from '../api/index.js';
import type { ControlPlaneDecision } from './control-plane.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import {
  controlPlaneMachineInPlace,
  desiredKubeadmConfig,
  drawControlPlaneMachineName,
  machineAnnotations,
  machineLabels,
  newControlPlaneMachine,
  plainOwner,
} from './desired-machine.js';
import { requireInfrastructureTemplate } from './infrastructure-template.js';
import { metadataIntent, type SyncedMetadata } from './sync-machines.js';

export type CreateDecision = Extract<ControlPlaneDecision, { readonly type: 'create' | 'createFirst' }>;

interface Step {
  /** Reason of the deprecated MachinesCreated condition when the step fails. */
  readonly failure: string;
  readonly resource: Resource;
  readonly object: KubeObject;
}

/**
 * Creates the infrastructure object, the KubeadmConfig and the Machine, all with one name. If a step fails, the objects of
 * earlier steps are deleted, so that every existing Machine has both.
 */
export async function createMachine(scope: ControlPlaneScope, decision: CreateDecision): Promise<void> {
  const steps = await prepareSteps(scope, decision);
  const cause = creationCause(scope, decision);
  const begun: Step[] = [];
  for (const step of steps) {
    begun.push(step);
    try {
      await apply(scope, step, cause);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      markFailure(scope, step.failure, error, `failed to create ${step.object.kind}: `);
      await cleanUp(scope, begun);
      throw error;
    }
  }
  // The replacement exists, so the remediation that requested it is complete.
  scope.update(({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.remediationInProgress];
  });
}

/** Returns the reason and message of the decision. The message includes the causes of a rollout. */
function creationCause({ machines: views }: ControlPlaneScope, { reason, message }: CreateDecision): Cause {
  const causes = reason === 'RollingOut' ? [...new Set(views.flatMap(({ outdated }) => outdated))] : [];
  return { reason, message: causes.length === 0 ? message : `${message} (${causes.join(', ')})` };
}

async function prepareSteps(scope: ControlPlaneScope, decision: CreateDecision): Promise<readonly Step[]> {
  try {
    return planSteps(scope, decision, (await requireInfrastructureTemplate(scope)).object);
  } catch (error) {
    markFailure(scope, 'InfrastructureTemplateCloningFailed', error);
    throw error;
  }
}

function planSteps(scope: ControlPlaneScope, decision: CreateDecision, template: Frozen<KubeObject>): readonly Step[] {
  const { controlPlane, cluster, context } = scope;
  const { apiGroup, kind } = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  const taken = new Set(scope.observedMachines.map(nameOf));
  const name = drawControlPlaneMachineName(controlPlane, cluster, taken, context.random);
  const infrastructure = cloneTemplate(template, {
    name,
    namespace: scope.clusterKey.namespace,
    clusterName: scope.clusterKey.name,
    labels: machineLabels(controlPlane, cluster),
    annotations: machineAnnotations(controlPlane),
    owner: plainOwner(controlPlane),
  });
  const { resource } = resolveKind(context.sources, { apiGroup, kind: kindOfTemplate(kind) });
  const role = decision.type === 'createFirst' ? 'init' : 'join';
  const machine: Machine = newControlPlaneMachine(controlPlane, cluster, name, decision.failureDomain);
  return [
    {
      failure: 'InfrastructureTemplateCloningFailed',
      resource,
      object: { ...infrastructure, apiVersion: `${resource.group}/${resource.version}` },
    },
    {
      failure: 'BootstrapTemplateCloningFailed',
      resource: kubeadmConfigs,
      object: desiredKubeadmConfig(controlPlane, cluster, name, role) as KubeObject,
    },
    { failure: 'MachineGenerationFailed', resource: machines, object: machine as KubeObject },
  ];
}

/**
 * Applies an object of a new machine. One field manager applies the whole object. For the infrastructure object and the
 * KubeadmConfig, a second one applies labels and annotations, so that they can be removed later. It applies them before the first
 * manager releases them, so that the object always has them.
 */
async function apply(scope: ControlPlaneScope, step: Step, { reason, message }: Cause): Promise<void> {
  const { context, dependencies, controlPlane, cluster } = scope;
  const { resource, object } = step;
  const key = keyOf(object);
  const own: Omit<ApplyChange, 'configuration'> = {
    verb: 'apply',
    resource,
    key,
    fieldManager: kubeadmFieldManagers.controlPlane,
    reason,
    message: `Created ${object.kind} ${key.name}: ${message}`,
  };
  const created = await context.change({ ...own, configuration: asJson(object), current: 'absent' });
  if (resource.kind === machines.kind) return noteMachine(scope, created as ObservedMachine);
  const metadata = { labels: machineLabels(controlPlane, cluster), annotations: machineAnnotations(controlPlane) };
  const fieldManager = kubeadmFieldManagers.controlPlaneMetadata;
  const split = `Moved the labels and annotations of ${object.kind} ${key.name} to a separate field manager`;
  const configuration = metadataIntent(created, metadata);
  const labelled = await context.change({ ...own, fieldManager, configuration, current: created, message: split });
  dependencies.intents.note(created.metadata.uid ?? '', fieldManager, fingerprintOf(metadata));
  const rest = withoutMetadata(object, metadata, created.metadata.uid ?? '');
  await context.change({ ...own, configuration: rest, current: labelled, message: split });
}

/** Records the intent of a new Machine as applied, so that the first sync sends no request. */
function noteMachine({ dependencies, controlPlane, cluster }: ControlPlaneScope, machine: ObservedMachine): void {
  const intent = asJson(controlPlaneMachineInPlace(controlPlane, cluster, machine) as KubeObject);
  dependencies.intents.note(machine.metadata.uid ?? '', kubeadmFieldManagers.controlPlane, fingerprintOf(intent));
}

function withoutMetadata(object: KubeObject, given: SyncedMetadata, uid: string): JsonObject {
  const { metadata, ...rest } = asJson(object);
  const { labels, annotations, ...identity } = metadata as JsonObject;
  const left = (all: unknown, gone: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(Object.entries((all ?? {}) as JsonObject).filter(([key]) => !Object.hasOwn(gone, key)));
  const kept = { labels: left(labels, given.labels), annotations: left(annotations, given.annotations) };
  return { ...rest, metadata: { ...identity, ...kept, uid } };
}

async function cleanUp({ context }: ControlPlaneScope, begun: readonly Step[]): Promise<void> {
  const reason = 'MachineCreationFailed';
  for (const { resource, object } of begun) {
    const key = keyOf(object);
    try {
      const message = `Deleted ${object.kind} ${key.name}: its Machine could not be created`;
      await context.change({ verb: 'delete', resource, key, reason, message });
    } catch (error) {
      context.logger.error(
        { [object.kind]: key, err: error },
        'Failed to delete the objects of a Machine that could not be created',
      );
    }
  }
}

function markFailure(scope: ControlPlaneScope, reason: string, error: unknown, what = ''): void {
  const message = error instanceof Error ? error.message : String(error);
  scope.mark({ type: 'MachinesCreated', status: 'False', reason, severity: 'Error', message });
  scope.creationProblem ??= `${what}${message}`;
}

/**
 * Deletes objects that were created for a Machine that does not exist, because the process was interrupted before it
 * created the Machine. No other controller would delete them, and infrastructure costs money. Objects that a Machine
 * has adopted are kept.
 */
export async function removeOrphans(scope: ControlPlaneScope): Promise<void> {
  for (const { resource, object } of [...(await infrastructureOf(scope)), ...configsOf(scope)]) {
    if (!isOrphan(scope, object)) continue;
    await scope.context.change({
      verb: 'delete',
      resource,
      key: keyOf(object),
      options: { preconditions: { uid: object.metadata.uid } },
      reason: 'Orphaned',
      message: `Deleted ${object.kind} ${nameOf(object)}: no Machine was created for it`,
    });
  }
}

interface Made {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/** Returns the index value of the label that all objects of the control plane's machines have. */
function ownText({ controlPlane, clusterKey }: ControlPlaneScope): string {
  return `${clusterKey.namespace}/${formatLabelValue(nameOf(controlPlane))}`;
}

function configsOf(scope: ControlPlaneScope): Made[] {
  const source = scope.context.sources.sourceFor(kubeadmConfigs);
  const found = source.byIndex(labelIndex(labels.controlPlaneName), ownText(scope));
  return found.map((object) => ({ resource: kubeadmConfigs, object }));
}

async function infrastructureOf(scope: ControlPlaneScope): Promise<Made[]> {
  const { context, controlPlane } = scope;
  const { apiGroup, kind } = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  try {
    const { resource } = resolveKind(context.sources, { apiGroup, kind: kindOfTemplate(kind) });
    const source = await context.follow({ resource, map: () => [] });
    return source.byIndex(labelIndex(labels.controlPlaneName), ownText(scope)).map((object) => ({ resource, object }));
  } catch (error) {
    // The provider is not installed, so none of its objects can exist.
    if (error instanceof ReconcileError) return [];
    throw error;
  }
}

function isOrphan({ controlPlane, clusterKey, context }: ControlPlaneScope, object: Frozen<KubeObject>): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  if (isDeleting(object) || owners.length !== 1 || !isOwnedBy(object, controlPlane)) return false;
  const key = { namespace: clusterKey.namespace, name: nameOf(object) };
  return context.sources.sourceFor(machines).get(key) === undefined;
}
