import {
  compareAges,
  isControlPlaneMachine,
  isDeleting,
  labels,
  type Machine,
  machines,
  nameOf,
  type ObservedMachine,
  parseKubernetesVersion,
  resolveKind,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Cause,
  type Change,
  controllerIndex,
  controllerOf,
  edit,
  ensureOwnerReference,
  type Index,
  isOwnedBy,
  isSameOwner,
  ownerReference,
  type ReconcileContext,
  ReconcileError,
  removeOwnerReference,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { kubeadmConfigs, kubeadmControlPlanes } from '../api/index.js';
import type { ControlPlaneScope } from './control-plane-scope.js';
import {
  type ClusterView,
  hasEndpoint,
  isProvisioned,
  type MachineView,
  type ObservedControlPlane,
  type ObservedKubeadmConfig,
} from './control-plane.js';
import { rolloutReasons } from './rollout-reasons.js';

/** Indexes control plane Machines by Cluster: `namespace/cluster`. */
const controlPlaneMachineIndex: Index<Machine> = {
  name: 'control plane machines',
  valuesOf: ({ metadata }) =>
    isControlPlaneMachine({ metadata })
      ? [`${metadata.namespace ?? ''}/${metadata.labels?.[labels.clusterName] ?? ''}`]
      : [],
};

/** Returns all control plane Machines of the Cluster, regardless of their owner, oldest first. */
export function controlPlaneMachines(context: ReconcileContext, cluster: ClusterView): ObservedMachine[] {
  const { namespace = '', name = '' } = cluster.metadata;
  const found = context.sources.sourceFor(machines).byIndex(controlPlaneMachineIndex, `${namespace}/${name}`);
  return [...found].sort(compareAges);
}

/** Returns the machines that the control plane controls, even if its Cluster no longer exists. */
export function controlledMachines(
  context: ReconcileContext,
  { metadata }: ObservedControlPlane,
): readonly ObservedMachine[] {
  return context.sources.sourceFor(machines).byIndex(controllerIndex, metadata.uid ?? '');
}

/**
 * Observes the machines of the control plane. Returns false if it adopted Machines without a controller: the reconcile ends, and
 * the events of the adoption trigger the next one.
 */
export async function findMachines(scope: ControlPlaneScope): Promise<boolean> {
  const { context, controlPlane, cluster } = scope;
  const all = controlPlaneMachines(context, cluster);
  const adoptable = all.filter((machine) => controllerOf(machine) === undefined);
  if (adoptable.length > 0 && isProvisioned(cluster) && hasEndpoint(cluster) && !isDeleting(controlPlane)) {
    await adoptMachines(scope, adoptable);
    return false;
  }
  const owned = ownedMachines(all, controlPlane);
  if (owned.length + adoptable.length !== all.length && !isDeleting(controlPlane)) {
    const error = new ReconcileError(
      'MixedManagement',
      'not all control plane machines are owned by this KubeadmControlPlane, refusing to operate in mixed management mode',
      { retry: 'onChange', remedy: 'delete the other Machines, or remove the control plane label from them' },
    );
    const { reason, message } = error;
    context.events.record(controlPlane, { type: 'Warning', reason, action: 'Reconcile', message });
    throw error;
  }
  scope.machines = await observeMachines(context, controlPlane, owned);
  return true;
}

/** Reads machines with the objects that were created for them, and the reasons why they are outdated. */
async function observeMachines(
  context: ReconcileContext,
  controlPlane: ObservedControlPlane,
  owned: readonly ObservedMachine[],
): Promise<MachineView[]> {
  const nowMs = context.clock.now();
  return Promise.all(
    owned.map(async (machine) => {
      const config = configOf(context, machine);
      const infrastructure = await infrastructureOf(context, machine);
      const outdated = rolloutReasons({ controlPlane, machine, config, infrastructure, nowMs });
      return { machine, config, infrastructure, outdated };
    }),
  );
}

function configOf(context: ReconcileContext, machine: ObservedMachine): MachineView['config'] {
  const { configRef } = machine.spec.bootstrap;
  if (configRef === undefined) return undefined;
  const key = { namespace: machine.metadata.namespace ?? '', name: configRef.name };
  return context.sources.sourceFor(kubeadmConfigs).get(key);
}

/**
 * Returns the infrastructure object of a machine. If the provider is not installed, the machine is not compared and not outdated.
 */
async function infrastructureOf(
  context: ReconcileContext,
  machine: ObservedMachine,
): Promise<Frozen<KubeObject> | undefined> {
  const reference = machine.spec.infrastructureRef;
  try {
    const { resource } = resolveKind(context.sources, reference);
    // The Machine controller reconciles this object and reports on the Machine, so its changes trigger nothing here.
    const source = await context.follow({ resource, map: () => [] });
    return source.get({ namespace: machine.metadata.namespace ?? '', name: reference.name });
  } catch (error) {
    if (!(error instanceof ReconcileError)) throw error;
    context.logger.warn(
      { Machine: nameOf(machine), err: error },
      'Failed to read the infrastructure object of a Machine',
    );
    return undefined;
  }
}

function ownedMachines(all: readonly ObservedMachine[], controlPlane: ObservedControlPlane): ObservedMachine[] {
  const desired = ownerReference(controlPlane, { controller: true });
  return all.filter((machine) => {
    const controller = controllerOf(machine);
    return controller !== undefined && isSameOwner(controller, desired);
  });
}

/** Adopts machines that a user created, and the Secrets that were created for them. */
async function adoptMachines(scope: ControlPlaneScope, adoptable: readonly ObservedMachine[]): Promise<void> {
  const { read, signal, events } = scope.context;
  const { namespace } = scope.clusterKey;
  // Read from the API server: machines that were just orphaned on purpose must not be adopted again.
  const now = await read.get(kubeadmControlPlanes, { namespace, name: nameOf(scope.controlPlane) }, { signal });
  if (now.metadata.deletionTimestamp !== undefined) return;
  for (const machine of adoptable) {
    const refusal = refusalOf(scope.controlPlane, machine);
    if (refusal === undefined) continue;
    events.record(scope.original, { type: 'Warning', reason: 'AdoptionFailed', action: 'Adopt', message: refusal });
    return;
  }
  const labelSelector = `${labels.clusterName}=${scope.clusterKey.name}`;
  for (const machine of adoptable) {
    const name = machine.spec.bootstrap.configRef?.name ?? '';
    const config = await read.get(kubeadmConfigs, { namespace, name }, { signal });
    const { items } = await read.list(secrets, { namespace, labelSelector, signal });
    await scope.context.changeAll(adoptionChanges(scope.controlPlane, machine, config, items));
  }
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
  // Do not check a machine without a version. The user is responsible for it.
  if (own === undefined || its === undefined) return undefined;
  if (own.major === its.major && Math.abs(own.minor - its.minor) <= 1) return undefined;
  return `Could not adopt Machine ${name}: its version ("${machine.spec.version}") is outside supported +/- one minor version skew from KCP's ("${controlPlane.spec.version}")`;
}

/**
 * Returns the changes that adopt a machine and the certificates that the bootstrap provider created for it, but not its data
 * Secret.
 */
function adoptionChanges(
  controlPlane: ObservedControlPlane,
  machine: ObservedMachine,
  config: ObservedKubeadmConfig,
  all: readonly Frozen<Secret>[],
): Change[] {
  const owner = ownerReference(controlPlane, { controller: true });
  const adopted = (kind: string, name = ''): Cause => ({
    reason: 'Adopted',
    message: `Adopted ${kind} ${name} into KubeadmControlPlane ${nameOf(controlPlane)}`,
  });
  const certificates = all
    .filter((secret) => isOwnedBy(secret, config) && secret.metadata.name !== config.status?.dataSecretName)
    .map((secret): Change => {
      const after = edit(secret, ({ metadata }) => {
        removeOwnerReference(metadata, ownerReference(config));
        ensureOwnerReference(metadata, owner);
      });
      return { verb: 'patch', resource: secrets, before: secret, after, ...adopted('Secret', secret.metadata.name) };
    });
  const after = edit(machine, ({ metadata }) => ensureOwnerReference(metadata, owner));
  const cause = adopted('Machine', machine.metadata.name);
  return [...certificates, { verb: 'patch', resource: machines, before: machine, after, ...cause }];
}
