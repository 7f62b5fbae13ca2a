import {
  cloneTemplate,
  fingerprintOf,
  kindOfTemplate,
  type Machine,
  machines,
  nameOf,
  type ObservedMachine,
  resolveKind,
} from '@slipway/cluster-api';
import { asJson, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import { FencedError, type ObjectKey, type Resource } from '@slipway/runtime';
import { controlPlaneAnnotations, kubeadmConfigs, kubeadmFieldManagers } from '../api/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import {
  desiredKubeadmConfig,
  type KubeadmRole,
  machineAnnotations,
  machineLabels,
  plainOwner,
} from './desired-kubeadm-config.js';
import { controlPlaneMachineInPlace, drawControlPlaneMachineName, newControlPlaneMachine } from './desired-machine.js';
import { requireInfrastructureTemplate } from './infrastructure-template.js';
import { metadataIntent, type SyncedMetadata } from './sync-machines.js';

interface Step {
  /** In the deprecated MachinesCreated condition, when it fails. */
  readonly failure: string;
  readonly resource: Resource;
  readonly object: KubeObject;
}

/**
 * Makes a machine: its infrastructure, its configuration, then the Machine itself, all of one name. Whatever was made before
 * a step failed is taken away again; a Machine that is there has all that belongs to it.
 */
export async function createMachine(
  pass: ControlPlanePass,
  role: KubeadmRole,
  failureDomain: string | undefined,
): Promise<string> {
  const steps = await prepareSteps(pass, role, failureDomain);
  const begun: Step[] = [];
  for (const step of steps) {
    begun.push(step);
    try {
      await apply(pass, step);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      markFailure(pass, step.failure, error, `failed to create ${step.object.kind}: `);
      await cleanUp(pass, begun);
      throw error;
    }
  }
  // The replacement is there: the remediation that asked for it is over.
  pass.update(({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.remediationInProgress];
  });
  return steps[0]?.object.metadata.name ?? '';
}

async function prepareSteps(
  pass: ControlPlanePass,
  role: KubeadmRole,
  failureDomain: string | undefined,
): Promise<readonly Step[]> {
  try {
    return await planSteps(pass, role, failureDomain);
  } catch (error) {
    markFailure(pass, 'InfrastructureTemplateCloningFailed', error);
    throw error;
  }
}

async function planSteps(
  pass: ControlPlanePass,
  role: KubeadmRole,
  failureDomain: string | undefined,
): Promise<readonly Step[]> {
  const { controlPlane, cluster, context } = pass;
  const template = await requireInfrastructureTemplate(pass);
  const { kind } = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  const taken = new Set(pass.observedMachines.map(nameOf));
  const name = drawControlPlaneMachineName(controlPlane, cluster, taken, context.random);
  const infrastructure = cloneTemplate(template.object, {
    name,
    namespace: pass.clusterKey.namespace,
    clusterName: pass.clusterKey.name,
    labels: machineLabels(controlPlane, cluster),
    annotations: machineAnnotations(controlPlane),
    owner: plainOwner(controlPlane),
  });
  const { apiGroup } = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  const { resource } = resolveKind(context.sources, { apiGroup, kind: kindOfTemplate(kind) });
  const machine: Machine = newControlPlaneMachine(controlPlane, cluster, name, failureDomain);
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
 * The Machine is said to be as a whole by one field manager. Of the other two objects, labels and annotations are said by
 * another one, so that they can be taken back later: it has them as well before the first gives them up, and at no time is
 * the object without them.
 */
async function apply(pass: ControlPlanePass, step: Step): Promise<void> {
  const { context, world, controlPlane, cluster } = pass;
  const { client, signal } = context;
  const { resource, object } = step;
  const key = keyOfNew(object);
  const own = { fieldManager: kubeadmFieldManagers.controlPlane, force: true, signal };
  const created = await client.apply(resource, key, asJson(object), own);
  if (resource.kind === machines.kind) return noteMachine(pass, created as ObservedMachine);
  const metadata = { labels: machineLabels(controlPlane, cluster), annotations: machineAnnotations(controlPlane) };
  const fieldManager = kubeadmFieldManagers.controlPlaneMetadata;
  await client.apply(resource, key, metadataIntent(created, metadata), { ...own, fieldManager });
  world.intents.note(created.metadata.uid ?? '', fieldManager, fingerprintOf(metadata));
  await client.apply(resource, key, withoutMetadata(object, metadata, created.metadata.uid ?? ''), own);
}

/** What is going to be said of it later was said just now: the first sync has nothing to do. */
function noteMachine({ world, controlPlane, cluster }: ControlPlanePass, machine: ObservedMachine): void {
  const intent = asJson(controlPlaneMachineInPlace(controlPlane, cluster, machine) as KubeObject);
  world.intents.note(machine.metadata.uid ?? '', kubeadmFieldManagers.controlPlane, fingerprintOf(intent));
}

function withoutMetadata(object: KubeObject, given: SyncedMetadata, uid: string): JsonObject {
  const { metadata, ...rest } = asJson(object);
  const { labels, annotations, ...identity } = metadata as JsonObject;
  const left = (all: unknown, gone: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(Object.entries((all ?? {}) as JsonObject).filter(([key]) => !Object.hasOwn(gone, key)));
  const kept = { labels: left(labels, given.labels), annotations: left(annotations, given.annotations) };
  return { ...rest, metadata: { ...identity, ...kept, uid } };
}

function keyOfNew({ metadata }: KubeObject): ObjectKey {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

async function cleanUp({ context }: ControlPlanePass, begun: readonly Step[]): Promise<void> {
  for (const { resource, object } of begun) {
    try {
      await context.client.delete(resource, keyOfNew(object));
    } catch (error) {
      if (!isReason(error, 'NotFound'))
        context.logger.error(
          { [object.kind]: keyOfNew(object), err: error },
          'Cleaning up after a failed machine failed',
        );
    }
  }
}

function markFailure(pass: ControlPlanePass, reason: string, error: unknown, what = ''): void {
  const message = error instanceof Error ? error.message : String(error);
  pass.mark({ type: 'MachinesCreated', status: 'False', reason, severity: 'Error', message });
  pass.creationProblem ??= `${what}${message}`;
}
