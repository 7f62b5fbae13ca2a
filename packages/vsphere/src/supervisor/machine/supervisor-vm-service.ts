import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen, ObjectMeta } from '@slipway/kube';
import {
  ensureOwnerReference,
  isDeleting,
  isSameOwner,
  ownerReference,
  type ReconcileContext,
  ReconcileError,
} from '@slipway/runtime';
import {
  type SupervisorCluster,
  type SupervisorMachine,
  supervisorClusters,
  supervisorMachines,
  type VirtualMachine,
} from '../../api/index.js';
import {
  type LeavingMachine,
  type ObservedMachine,
  renderVmName,
  type VmProgress,
  type VmService,
} from '../../machine/index.js';
import { networkProviderOf } from '../network/index.js';
import { apiVersionOf, ensureObject } from '../platform.js';
import type { SupervisorWorld } from '../world.js';
import { fillVirtualMachine } from './desired-vm.js';
import type { Placement, PlacementFinder } from './placement.js';
import { progressOf, waiting } from './progress.js';
import { claimZone, ensureClaims } from './volumes.js';

type Observed = ObservedMachine<SupervisorMachine>;

/** Has virtual machines made by VM Operator: writes what is wanted, and reads how far it is. */
export function createSupervisorVmService(
  world: SupervisorWorld,
  findPlacement: PlacementFinder,
): VmService<SupervisorMachine> {
  return {
    resource: supervisorMachines,
    waitsForInfrastructure: false,
    ensure: (observed, context) => ensureVm(world, findPlacement, observed, context),
    remove: (leaving, context) => removeVm(world, leaving, context),
  };
}

async function ensureVm(
  world: SupervisorWorld,
  findPlacement: PlacementFinder,
  observed: Observed,
  context: ReconcileContext,
): Promise<VmProgress<SupervisorMachine>> {
  const { machine, cluster } = observed;
  if ((machine.spec.version ?? '') === '')
    throw new ReconcileError('NotProvisioned', `Machine ${machine.metadata.name ?? ''} names no version`, {
      retry: 'onChange',
      remedy: 'set spec.version',
    });
  const vsphereCluster = clusterOf(context, cluster);
  if (vsphereCluster === undefined)
    return waiting(
      'Pending',
      'WaitingForClusterInfrastructureReady',
      'WaitingForClusterInfrastructure',
      'the Cluster has no VSphereCluster yet',
    );
  const placed = await findPlacement(observed, context);
  if (placed.type === 'waiting') return placed;
  const vm = await writeVm(world, { ...observed, vsphereCluster }, context, placed.placement);
  return vm === undefined
    ? waiting(
        'Pending',
        'Provisioning',
        'VMProvisionStarted',
        'spec.network.provider of the VSphereCluster is not set yet',
      )
    : progressOf(vm);
}

interface Placed extends Observed {
  readonly vsphereCluster: Frozen<SupervisorCluster>;
}

async function writeVm(
  world: SupervisorWorld,
  observed: Placed,
  context: ReconcileContext,
  placement: Placement,
): Promise<Frozen<VirtualMachine> | undefined> {
  const { machine, cluster, vsphereMachine, vsphereCluster } = observed;
  const { features, networkProvider, platform } = world;
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
  world: SupervisorWorld,
  { vsphereMachine, machine }: LeavingMachine<SupervisorMachine>,
  context: ReconcileContext,
): ReturnType<VmService<SupervisorMachine>['remove']> {
  const resource = world.platform.virtualMachines;
  const key = vmKey(vsphereMachine, machine?.metadata.name ?? vsphereMachine.metadata.name ?? '');
  const vm = context.sources.sourceFor(resource).get(key);
  // One of that name that is somebody else's is none of ours.
  if (vm === undefined || !isOurs(vsphereMachine, vm)) return undefined;
  const preconditions = { uid: vm.metadata.uid ?? '' };
  if (!isDeleting(vm))
    await context.change({
      verb: 'delete',
      resource,
      key,
      options: { preconditions },
      reason: 'Deleting',
      message: `Deleted VirtualMachine ${key.name}: its machine is being deleted`,
    });
  return waiting('Deleting', 'Deleting', 'Deleting', 'VM Operator is deleting the virtual machine');
}

function vmKey(
  vsphereMachine: Frozen<SupervisorMachine>,
  machineName: string,
): { readonly namespace: string; readonly name: string } {
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
  const wanted = ownerReference(vsphereMachine);
  return vm.metadata.ownerReferences?.some((owner) => owner.controller === true && isSameOwner(owner, wanted)) === true;
}

/** A virtual machine that somebody else made is neither taken over nor deleted later. */
function requireOurs(vsphereMachine: Frozen<SupervisorMachine>, vm: Frozen<VirtualMachine>): void {
  if (isOurs(vsphereMachine, vm)) return;
  const { name = '', namespace = '' } = vm.metadata;
  throw new ReconcileError('NotProvisioned', `VirtualMachine ${namespace}/${name} exists and is not of this machine`, {
    retry: 'onChange',
    remedy: 'rename or delete it, or give machines other names by spec.naming.template',
  });
}
