import { keysOfCluster, machineDeployments, type ObservedCluster, ownerClusterOf, reasons } from '@slipway/cluster-api';
import type { Frozen, ObjectMeta } from '@slipway/kube';
import type { DeletingMachineScope, MachineScope } from '@slipway/provider-kit';
import {
  type Controller,
  type ControllerContext,
  ensureOwnerReference,
  isDeleting,
  isSameOwner,
  keyOf,
  mapToController,
  type ObjectKey,
  ownerReference,
  type ReconcileContext,
  ReconcileError,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  type SupervisorCluster,
  type SupervisorMachine,
  supervisorClusters,
  supervisorMachines,
  type VirtualMachine,
} from '../../api/index.js';
import { defineVSphereMachine, renderVmName, type VmProgress, type VmWaiting } from '../../machine/index.js';
import { placesByGroup, type SupervisorDependencies } from '../dependencies.js';
import { networkProviderOf } from '../network/index.js';
import { apiVersionOf, ensureObject } from '../platform.js';
import { fillVirtualMachine } from './desired-vm.js';
import { type Placement, type PlacementFinder, placeByFailureDomain, placeByGroup } from './placement.js';
import { progressOf, waiting } from './progress.js';
import { claimZone, ensureClaims } from './volumes.js';

/**
 * Reconciles machines of a Supervisor. VM Operator creates the VMs: the controller writes the desired state and reads the
 * progress.
 */
export function createSupervisorMachineController(
  context: ControllerContext,
  dependencies: SupervisorDependencies,
): Controller {
  const byGroup = placesByGroup(dependencies.features);
  const findPlacement = byGroup ? placeByGroup(dependencies) : placeByFailureDomain;
  return defineVSphereMachine<SupervisorMachine>(
    {
      name: 'supervisor-vspheremachine',
      resource: supervisorMachines,
      // Machines do not wait for the cluster: without a load balancer, the endpoint is the address of a machine.
      waitsForClusterInfrastructure: false,
      watches: [
        { resource: dependencies.platform.virtualMachines, map: mapToController(supervisorMachines) },
        ...(byGroup ? groupWatches(context.sources, dependencies) : []),
        // Machines depend on the network and the failure domains of their cluster, which rarely change.
        watch(supervisorClusters, {
          map: (vsphereCluster) => machinesOf(context.sources, vsphereCluster),
          filter: ({ object, previous }) =>
            previous === undefined || object.metadata.generation !== previous.metadata.generation,
        }),
      ],
      ensure: (scope) => ensureVm(scope, dependencies, findPlacement),
      remove: (scope) => removeVm(scope, dependencies),
    },
    context,
  );
}

function groupWatches(sources: Sources, { platform }: SupervisorDependencies): Watch[] {
  return [
    watch(platform.virtualMachineGroups, {
      map: (group) => keysOfCluster(sources, supervisorMachines, keyOf(group)),
    }),
    watch(machineDeployments, { map: () => [] }),
  ];
}

function machinesOf(sources: Sources, vsphereCluster: Frozen<SupervisorCluster>): ObjectKey[] {
  const cluster = ownerClusterOf(sources, vsphereCluster);
  return cluster === undefined ? [] : keysOfCluster(sources, supervisorMachines, keyOf(cluster));
}

async function ensureVm(
  scope: MachineScope<SupervisorMachine>,
  dependencies: SupervisorDependencies,
  findPlacement: PlacementFinder,
): Promise<VmProgress<SupervisorMachine>> {
  const { context, machine, cluster } = scope;
  if ((machine.spec.version ?? '') === '')
    throw new ReconcileError('NotProvisioned', `Machine ${machine.metadata.name ?? ''} has no spec.version`, {
      retry: 'onChange',
      remedy: 'set spec.version',
    });
  const vsphereCluster = clusterOf(context, cluster);
  if (vsphereCluster === undefined)
    return waiting('Pending', reasons.waitingForClusterInfrastructureReady, 'Waiting for the VSphereCluster to exist');
  const placed = findPlacement(scope);
  if (placed.type === 'waiting') return placed;
  const vm = await writeVm(dependencies, scope, vsphereCluster, placed.placement);
  if (vm !== undefined) return progressOf(vm);
  const message = 'Waiting for spec.network.provider of the VSphereCluster to be set';
  return waiting('Pending', 'Provisioning', message, { reason: 'VMProvisionStarted' });
}

async function writeVm(
  dependencies: SupervisorDependencies,
  { context, machine, cluster, infraMachine: vsphereMachine }: MachineScope<SupervisorMachine>,
  vsphereCluster: Frozen<SupervisorCluster>,
  placement: Placement,
): Promise<Frozen<VirtualMachine> | undefined> {
  const { features, networkProvider, platform } = dependencies;
  const provider = networkProviderOf(vsphereCluster, { networkProvider, perCluster: features.ClusterNetworkProvider });
  if (provider === undefined) return undefined;
  const resource = platform.virtualMachines;
  const key = vmKey(vsphereMachine, machine.metadata.name ?? '');
  const current = context.sources.sourceFor(resource).get(key);
  if (current !== undefined) requireOurs(vsphereMachine, current);
  const scope = { context, cluster, vsphereCluster, features };
  const network = await provider.connect(scope, vsphereMachine.spec.network, current?.spec?.network);
  const domains = vsphereCluster.status?.failureDomains?.length ?? 0;
  await ensureClaims(context, vsphereMachine, current, claimZone(machine, domains));
  const empty: VirtualMachine = {
    apiVersion: apiVersionOf(resource) as VirtualMachine['apiVersion'],
    kind: resource.kind as VirtualMachine['kind'],
    metadata: { ...key },
  };
  const { supportsReadinessProbe } = provider;
  const facts = {
    vsphereMachine,
    machine,
    cluster,
    version: platform.version,
    supportsReadinessProbe,
    network,
    placement,
  };
  return ensureObject(
    context,
    resource,
    current,
    empty,
    (draft) => {
      ensureOwnerReference(draft.metadata, ownerReference(vsphereMachine, { controller: true }));
      fillVirtualMachine(draft, facts, current === undefined);
    },
    {
      reason: current === undefined ? 'Provisioning' : 'SpecChanged',
      message: `${current === undefined ? 'Requested' : 'Updated'} VirtualMachine ${key.name} for Machine ${machine.metadata.name ?? ''}`,
    },
  );
}

async function removeVm(
  { context, infraMachine: vsphereMachine, machine }: DeletingMachineScope<SupervisorMachine>,
  { platform }: SupervisorDependencies,
): Promise<VmWaiting<SupervisorMachine> | undefined> {
  const resource = platform.virtualMachines;
  const key = vmKey(vsphereMachine, machine?.metadata.name ?? vsphereMachine.metadata.name ?? '');
  const vm = context.sources.sourceFor(resource).get(key);
  // A VirtualMachine of this name with another owner is not deleted.
  if (vm === undefined || !isOurs(vsphereMachine, vm)) return undefined;
  if (!isDeleting(vm))
    await context.change({
      verb: 'delete',
      resource,
      key,
      options: { preconditions: { uid: vm.metadata.uid ?? '' } },
      reason: reasons.deleting,
      message: `Deleted VirtualMachine ${key.name}: its machine is being deleted`,
    });
  return waiting('Deleting', reasons.deleting, 'VM Operator is deleting the virtual machine');
}

function vmKey(vsphereMachine: Frozen<SupervisorMachine>, machineName: string): ObjectKey {
  const name = renderVmName(vsphereMachine.spec.naming?.template, machineName);
  return { namespace: vsphereMachine.metadata.namespace ?? '', name };
}

function clusterOf({ sources }: ReconcileContext, cluster: ObservedCluster): Frozen<SupervisorCluster> | undefined {
  const { infrastructureRef } = cluster.spec;
  if (infrastructureRef?.apiGroup !== supervisorClusters.group) return undefined;
  const { namespace = '' } = cluster.metadata;
  return sources.sourceFor(supervisorClusters).get({ namespace, name: infrastructureRef.name });
}

function isOurs(vsphereMachine: Frozen<SupervisorMachine>, vm: { readonly metadata: Frozen<ObjectMeta> }): boolean {
  const desired = ownerReference(vsphereMachine);
  return (
    vm.metadata.ownerReferences?.some((owner) => owner.controller === true && isSameOwner(owner, desired)) === true
  );
}

/** Throws if the VirtualMachine has another owner: it is neither adopted nor deleted later. */
function requireOurs(vsphereMachine: Frozen<SupervisorMachine>, vm: Frozen<VirtualMachine>): void {
  if (isOurs(vsphereMachine, vm)) return;
  const { name = '', namespace = '' } = vm.metadata;
  throw new ReconcileError('NotProvisioned', `VirtualMachine ${namespace}/${name} exists and has another owner`, {
    retry: 'onChange',
    remedy: 'delete it, or use other names with spec.naming.template',
  });
}
