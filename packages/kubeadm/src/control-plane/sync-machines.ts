import { applyIntent, fingerprintOf, isDeleting, machines, nameOf, resolveKind } from '@slipway/cluster-api';
import { asJson, cloneJson, deepEqual, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { edit, patchObject, type Resource } from '@slipway/runtime';
import { kubeadmConfigs, kubeadmFieldManagers } from '../api/index.js';
import type { MachineView } from './control-plane.js';
import type { ControlPlanePass } from './control-plane-pass.js';
import { machineAnnotations, machineLabels } from './desired-kubeadm-config.js';
import { controlPlaneMachineInPlace } from './desired-machine.js';

/** Carries over to machines that exist what they can take while they live: labels, annotations, timeouts, taints, gates. */
export async function syncMachines(pass: ControlPlanePass): Promise<void> {
  for (const view of pass.machines) {
    if (isDeleting(view.machine)) await syncDeleting(pass, view);
    else await syncMachine(pass, view);
  }
}

/** What still matters to a machine that goes is how long the steps of it may take. */
async function syncDeleting(pass: ControlPlanePass, { machine }: MachineView): Promise<void> {
  const { client, signal } = pass.context;
  const { deletion = {}, taints } = pass.controlPlane.spec.machineTemplate.spec;
  const { nodeDeletionTimeoutSeconds = machine.spec.deletion?.nodeDeletionTimeoutSeconds, ...timeouts } = deletion;
  const after = edit(machine, ({ spec }) => {
    const wanted = cloneJson({ ...timeouts, nodeDeletionTimeoutSeconds });
    if (!deepEqual(spec.deletion ?? {}, wanted)) spec.deletion = wanted;
    if (taints === undefined) delete spec.taints;
    else spec.taints = cloneJson(taints) as typeof spec.taints;
  });
  pass.replaceMachine(await patchObject(client, machines, machine, after, { signal }));
}

async function syncMachine(pass: ControlPlanePass, { machine, config, infrastructure }: MachineView): Promise<void> {
  const { context, world, controlPlane, cluster } = pass;
  const intent = asJson(controlPlaneMachineInPlace(controlPlane, cluster, machine) as KubeObject);
  const fieldManager = kubeadmFieldManagers.controlPlane;
  const fingerprint = fingerprintOf(intent);
  pass.replaceMachine(
    await applyIntent(context, world.intents, {
      resource: machines,
      current: machine,
      intent,
      fieldManager,
      fingerprint,
    }),
  );
  if (config !== undefined) await syncMetadata(pass, kubeadmConfigs, config);
  if (infrastructure === undefined) return;
  const { resource } = resolveKind(context.sources, machine.spec.infrastructureRef);
  await syncMetadata(pass, resource, infrastructure);
}

export interface SyncedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** By a field manager of its own: a label that the control plane gives up goes, whatever else it says of the object. */
async function syncMetadata(pass: ControlPlanePass, resource: Resource, object: Frozen<KubeObject>): Promise<void> {
  const { context, world, controlPlane, cluster } = pass;
  const metadata = { labels: machineLabels(controlPlane, cluster), annotations: machineAnnotations(controlPlane) };
  const intent = metadataIntent(object, metadata);
  const fieldManager = kubeadmFieldManagers.controlPlaneMetadata;
  const fingerprint = fingerprintOf(metadata);
  await applyIntent(context, world.intents, { resource, current: object, intent, fieldManager, fingerprint });
}

/** With the uid: an object that is gone must not be made anew by this. */
export function metadataIntent(object: Frozen<KubeObject>, metadata: SyncedMetadata): JsonObject {
  const { apiVersion, kind } = object;
  const { namespace = '', uid = '' } = object.metadata;
  return { apiVersion, kind, metadata: { name: nameOf(object), namespace, uid, ...metadata } };
}
