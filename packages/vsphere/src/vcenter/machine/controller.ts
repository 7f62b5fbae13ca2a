import { getV1beta1Condition, reasons, type V1beta1Conditioned } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { DeletingMachineScope, MachineAddress, MachineScope } from '@slipway/provider-kit';
import {
  type Conditioned,
  type Controller,
  type ControllerContext,
  getCondition,
  isDeleting,
  mapToOwner,
  type ObjectKey,
  ReconcileError,
  removeOwnerReference,
  wait,
  watch,
} from '@slipway/runtime';
import {
  vsphereClusters,
  vsphereConditions,
  vsphereDeploymentZones,
  vsphereFailureDomains,
  type VSphereMachine,
  vsphereMachines,
  vsphereV1Beta1Conditions,
  vsphereVms,
} from '../../api/index.js';
import { defineVSphereMachine, type VmProgress, type VmWaiting } from '../../machine/index.js';
import { failureDomainOf, vsphereClusterOf } from '../vm/vm-parents.js';
import type { ObservedVm } from '../vm/vm-spec.js';
import { desiredVm, updatedVm, vmNameOf } from './desired-vm.js';

/** Creates a VSphereVM for each VSphereMachine. The VSphereVM controller clones the VM. */
export function createVSphereMachineController(context: ControllerContext): Controller {
  const none = (): ObjectKey[] => [];
  return defineVSphereMachine<VSphereMachine>(
    {
      name: 'vspheremachine',
      resource: vsphereMachines,
      watches: [
        { resource: vsphereVms, map: mapToOwner(vsphereMachines) },
        watch(vsphereClusters, { map: none }),
        watch(vsphereDeploymentZones, { map: none }),
        watch(vsphereFailureDomains, { map: none }),
      ],
      ensure: ensureVmObject,
      remove: removeVmObject,
    },
    context,
  );
}

async function ensureVmObject(scope: MachineScope<VSphereMachine>): Promise<VmProgress<VSphereMachine>> {
  const vm = await writeVm(scope);
  if (vm.status?.ready !== true) return mirrored(vm);
  const { biosUUID = '' } = vm.spec;
  if (biosUUID === '') return mirrored(vm);
  return {
    type: 'ready',
    biosUuid: biosUUID,
    addresses: addressesOf(vm),
    host: vm.status.host,
    apply: (draft) => {
      draft.status ??= {};
      draft.status.network = structuredClone(vm.status?.network ?? []) as NonNullable<typeof draft.status.network>;
      // Releases before the VSphereVM kind wrote this owner reference.
      removeOwnerReference(draft.metadata, {
        apiVersion: `${vsphereClusters.group}/${vsphereClusters.version}`,
        kind: vsphereClusters.kind,
        name: scope.cluster.spec.infrastructureRef?.name ?? '',
        uid: '',
      });
      copyFailure(draft, vm);
    },
  };
}

async function writeVm({
  context,
  infraMachine: vsphereMachine,
  machine,
  cluster,
}: MachineScope<VSphereMachine>): Promise<ObservedVm> {
  const { sources } = context;
  const input = {
    vsphereMachine,
    machine,
    clusterName: cluster.metadata.name ?? '',
    vsphereCluster: vsphereClusterOf(sources, cluster),
    place: failureDomainOf(sources, machine),
  };
  const name = vmNameOf(vsphereMachine, machine.metadata.name ?? '');
  const current = sources.sourceFor(vsphereVms).get({ namespace: vsphereMachine.metadata.namespace ?? '', name });
  if (current === undefined)
    return context.change({
      verb: 'create',
      resource: vsphereVms,
      object: desiredVm(input),
      reason: 'Provisioning',
      message: `Created VSphereVM ${name} for Machine ${machine.metadata.name ?? ''}`,
    });
  if (!isOwnedBy(current, vsphereMachine)) {
    throw new ReconcileError('NameTaken', `VSphereVM ${name} belongs to another VSphereMachine`, {
      retry: 'onChange',
      remedy: 'use a naming template that generates a unique name for each machine',
    });
  }
  return context.change({
    verb: 'patch',
    resource: vsphereVms,
    before: current,
    after: updatedVm(current, input),
    reason: 'SpecChanged',
    message: `Updated VSphereVM ${name}: its VSphereMachine, Machine or VSphereCluster changed`,
  });
}

/**
 * Returns whether the VSphereVM belongs to the machine. Naming templates truncate names without a hash, so the names of two
 * machines can collide.
 */
function isOwnedBy({ metadata }: ObservedVm, vsphereMachine: Frozen<VSphereMachine>): boolean {
  const owners = (metadata.ownerReferences ?? []).filter(({ kind }) => kind === vsphereMachines.kind);
  return owners.length === 0 || owners.some((owner) => owner.name === vsphereMachine.metadata.name);
}

/** The IP addresses of the VM and its name. */
function addressesOf(vm: ObservedVm): MachineAddress[] {
  return [
    ...(vm.status?.addresses ?? []).map((address): MachineAddress => ({ type: 'ExternalIP', address })),
    { type: 'InternalDNS', address: vm.metadata.name ?? '' },
  ];
}

function copyFailure(draft: { status?: VSphereMachine['status'] }, vm: ObservedVm): void {
  const failure = vm.status?.deprecated?.v1beta1;
  if (failure?.failureReason === undefined && failure?.failureMessage === undefined) return;
  draft.status ??= {};
  draft.status.deprecated ??= {};
  draft.status.deprecated.v1beta1 = {
    ...draft.status.deprecated.v1beta1,
    failureReason: failure.failureReason,
    failureMessage: failure.failureMessage,
  };
}

/** Mirrors the condition of the VSphereVM, whose changes are watched. */
function mirrored(vm: ObservedVm): VmWaiting<VSphereMachine> {
  const condition = getCondition(vm as Conditioned, vsphereConditions.virtualMachineProvisioned);
  const unreachable = getCondition(vm as Conditioned, vsphereConditions.vcenterAvailable);
  const shown = unreachable?.status === 'False' ? unreachable : condition;
  const old = getV1beta1Condition(vm as V1beta1Conditioned, vsphereV1Beta1Conditions.vmProvisioned);
  // Before the VSphereVM has a condition, report the first reason that it will have.
  const { reason = 'WaitingForClone', message = '' } = shown ?? {};
  return {
    type: 'waiting',
    condition: {
      status: 'False',
      reason: shown?.status === 'True' ? reasons.notProvisioned : reason,
      message,
      v1beta1: {
        reason: old?.reason ?? 'Cloning',
        severity: old?.severity ?? 'Info',
        message: old?.message ?? message,
      },
    },
    outcome: wait({ reason, message }),
    apply: (draft) => copyFailure(draft, vm),
  };
}

/**
 * Returns why the VSphereVM is not deleted yet. Its conditions are ignored until its deletion starts: they describe its creation.
 */
function whatHoldsRemoval(vm: ObservedVm): string {
  if (!isDeleting(vm)) return '';
  const unreachable = getCondition(vm as Conditioned, vsphereConditions.vcenterAvailable);
  if (unreachable?.status === 'False') return unreachable.message ?? '';
  const condition = getCondition(vm as Conditioned, vsphereConditions.virtualMachineProvisioned);
  return condition?.status === 'False' ? (condition.message ?? '') : '';
}

async function removeVmObject({
  context,
  infraMachine: vsphereMachine,
  machine,
}: DeletingMachineScope<VSphereMachine>): Promise<VmWaiting<VSphereMachine> | undefined> {
  const { namespace = '', name = '' } = vsphereMachine.metadata;
  const key = { namespace, name: vmNameOf(vsphereMachine, machine?.metadata.name ?? name) };
  const current = context.sources.sourceFor(vsphereVms).get(key);
  if (current === undefined || !isOwnedBy(current, vsphereMachine)) return undefined;
  if (!isDeleting(current))
    await context.change({
      verb: 'delete',
      resource: vsphereVms,
      key,
      options: { preconditions: { uid: current.metadata.uid } },
      reason: reasons.deleting,
      message: `Deleted VSphereVM ${key.name}: its VSphereMachine is being deleted`,
    });
  const message = whatHoldsRemoval(current);
  return {
    type: 'waiting',
    condition: { status: 'False', reason: reasons.deleting, message },
    outcome: wait({ reason: reasons.deleting, message: `VSphereVM ${key.name} is being deleted` }),
  };
}
