import { applyIntent, fingerprintOf, isDeleting, machines, nameOf, resolveKind } from '@slipway/cluster-api';
import { asJson, cloneJson, deepEqual, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { edit, type Resource } from '@slipway/runtime';
import { kubeadmConfigs, kubeadmFieldManagers } from '../api/index.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import type { MachineView } from './control-plane.js';
import { controlPlaneMachineInPlace, machineAnnotations, machineLabels } from './desired-machine.js';

/**
 * Propagates fields to existing machines that do not require a new machine: labels, annotations, timeouts, taints, readiness
 * gates.
 */
export async function syncMachines(scope: ControlPlaneScope): Promise<void> {
  for (const view of scope.machines) {
    if (isDeleting(view.machine)) await syncDeleting(scope, view);
    else await syncMachine(scope, view);
  }
}

/** Syncs a deleting machine: only its deletion timeouts and taints. */
async function syncDeleting(scope: ControlPlaneScope, { machine }: MachineView): Promise<void> {
  const { deletion = {}, taints } = scope.controlPlane.spec.machineTemplate.spec;
  const { nodeDeletionTimeoutSeconds = machine.spec.deletion?.nodeDeletionTimeoutSeconds, ...timeouts } = deletion;
  const after = edit(machine, ({ spec }) => {
    const desired = cloneJson({ ...timeouts, nodeDeletionTimeoutSeconds });
    if (!deepEqual(spec.deletion ?? {}, desired)) spec.deletion = desired;
    if (taints === undefined) delete spec.taints;
    else spec.taints = cloneJson(taints) as typeof spec.taints;
  });
  const cause = { reason: 'PropagatedInPlace', message: `Updated deleting Machine ${nameOf(machine)} in place` };
  scope.replaceMachine(
    await scope.context.change({ verb: 'patch', resource: machines, before: machine, after, ...cause }),
  );
}

async function syncMachine(scope: ControlPlaneScope, { machine, config, infrastructure }: MachineView): Promise<void> {
  const { context, dependencies, controlPlane, cluster } = scope;
  const intent = asJson(controlPlaneMachineInPlace(controlPlane, cluster, machine) as KubeObject);
  const fieldManager = kubeadmFieldManagers.controlPlane;
  const fingerprint = fingerprintOf(intent);
  scope.replaceMachine(
    await applyIntent(context, dependencies.intents, {
      resource: machines,
      current: machine,
      intent,
      fieldManager,
      fingerprint,
    }),
  );
  if (config !== undefined) await syncMetadata(scope, kubeadmConfigs, config);
  if (infrastructure === undefined) return;
  const { resource } = resolveKind(context.sources, machine.spec.infrastructureRef);
  await syncMetadata(scope, resource, infrastructure);
}

export interface SyncedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Syncs labels and annotations with a separate field manager, so that those that the control plane no longer specifies are
 * removed.
 */
async function syncMetadata(scope: ControlPlaneScope, resource: Resource, object: Frozen<KubeObject>): Promise<void> {
  const { context, dependencies, controlPlane, cluster } = scope;
  const metadata = { labels: machineLabels(controlPlane, cluster), annotations: machineAnnotations(controlPlane) };
  const intent = metadataIntent(object, metadata);
  const fieldManager = kubeadmFieldManagers.controlPlaneMetadata;
  const fingerprint = fingerprintOf(metadata);
  await applyIntent(context, dependencies.intents, { resource, current: object, intent, fieldManager, fingerprint });
}

/** Returns the intent for labels and annotations. It includes the uid, so that an apply cannot re-create a deleted object. */
export function metadataIntent(object: Frozen<KubeObject>, metadata: SyncedMetadata): JsonObject {
  const { apiVersion, kind } = object;
  const { namespace = '', uid = '' } = object.metadata;
  return { apiVersion, kind, metadata: { name: nameOf(object), namespace, uid, ...metadata } };
}
