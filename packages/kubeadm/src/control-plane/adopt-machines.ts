import { labels, machines, nameOf, type ObservedMachine, parseKubernetesVersion } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  controllerOf,
  edit,
  ensureOwnerReference,
  isOwnedBy,
  isSameOwner,
  ownerReference,
  patchObject,
  ReconcileError,
  removeOwnerReference,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { kubeadmConfigs, kubeadmControlPlanes } from '../api/index.js';
import type { ObservedControlPlane, ObservedKubeadmConfig } from './control-plane.js';
import type { ControlPlanePass } from './control-plane-pass.js';

/** Control plane Machines that nobody controls. */
export function adoptableMachines(all: readonly ObservedMachine[]): ObservedMachine[] {
  return all.filter((machine) => controllerOf(machine) === undefined);
}

export function ownedMachines(all: readonly ObservedMachine[], controlPlane: ObservedControlPlane): ObservedMachine[] {
  const wanted = ownerReference(controlPlane, { controller: true });
  return all.filter((machine) => {
    const controller = controllerOf(machine);
    return controller !== undefined && isSameOwner(controller, wanted);
  });
}

/** Takes over machines that were made by hand, with the Secrets that were made for them. */
export async function adoptMachines(pass: ControlPlanePass, adoptable: readonly ObservedMachine[]): Promise<void> {
  const { client, signal, events } = pass.context;
  const { namespace } = pass.clusterKey;
  // Asked of the server: who has just been orphaned on purpose must not be taken again.
  const now = await client.get(kubeadmControlPlanes, { namespace, name: nameOf(pass.controlPlane) }, { signal });
  if (now.metadata.deletionTimestamp !== undefined) return;
  for (const machine of adoptable) {
    const refusal = refusalOf(pass.controlPlane, machine);
    if (refusal === undefined) continue;
    events.record(pass.original, { type: 'Warning', reason: 'AdoptionFailed', action: 'Adopt', message: refusal });
    return;
  }
  for (const machine of adoptable) await adoptMachine(pass, machine);
}

function refusalOf(controlPlane: ObservedControlPlane, machine: ObservedMachine): string | undefined {
  const { configRef } = machine.spec.bootstrap;
  const name = `${machine.metadata.namespace ?? ''}/${nameOf(machine)}`;
  if (configRef?.kind !== 'KubeadmConfig')
    throw new ReconcileError(
      'AdoptionFailed',
      `unable to adopt Machine ${name}: expected a ConfigRef of kind KubeadmConfig but instead found ${configRef?.kind ?? 'none'}`,
      { retry: 'onChange', remedy: 'remove the control plane label from the Machine, or delete it' },
    );
  const [own, its] = [controlPlane.spec.version, machine.spec.version].map((text) =>
    parseKubernetesVersion(text ?? ''),
  );
  // A machine that does not tell its version is the user's responsibility.
  if (own === undefined || its === undefined) return undefined;
  if (own.major === its.major && Math.abs(own.minor - its.minor) <= 1) return undefined;
  return `Could not adopt Machine ${name}: its version ("${machine.spec.version}") is outside supported +/- one minor version skew from KCP's ("${controlPlane.spec.version}")`;
}

async function adoptMachine(pass: ControlPlanePass, machine: ObservedMachine): Promise<void> {
  const { client, signal } = pass.context;
  const { namespace } = pass.clusterKey;
  const name = machine.spec.bootstrap.configRef?.name ?? '';
  const config = await client.get(kubeadmConfigs, { namespace, name }, { signal });
  await adoptSecrets(pass, config);
  const owner = ownerReference(pass.controlPlane, { controller: true });
  const after = edit(machine, ({ metadata }) => ensureOwnerReference(metadata, owner));
  await patchObject(client, machines, machine, after, { signal });
}

/** Certificates that the bootstrap provider made for a lone machine belong to the control plane; its data Secret does not. */
async function adoptSecrets(pass: ControlPlanePass, config: ObservedKubeadmConfig): Promise<void> {
  const { client, signal } = pass.context;
  const { namespace, name } = pass.clusterKey;
  const { items } = await client.list(secrets, { namespace, labelSelector: `${labels.clusterName}=${name}`, signal });
  const owner = ownerReference(pass.controlPlane, { controller: true });
  for (const secret of items as readonly Frozen<Secret>[]) {
    if (!isOwnedBy(secret, config) || secret.metadata.name === config.status?.dataSecretName) continue;
    const after = edit(secret, ({ metadata }) => {
      removeOwnerReference(metadata, ownerReference(config));
      ensureOwnerReference(metadata, owner);
    });
    await patchObject(client, secrets, secret, after, { signal });
  }
}
