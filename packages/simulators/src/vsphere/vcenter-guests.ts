import { clusterNameOf, keysOfCluster, machines } from '@slipway/cluster-api';
import {
  confirmWanted,
  type Controller,
  type ControllerSet,
  createController,
  done,
  ensureFinalizer,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  wait,
  watch,
} from '@slipway/runtime';
import {
  isLoadBalancer,
  observeParents,
  ownerClusterKey,
  providerIdOf,
  vsphereClusters,
  vsphereMachines,
  vsphereVms,
} from '@slipway/vsphere';
import { forwardConnections } from './forward-connections.js';
import type { StandInGuests } from './guests.js';
import { createHaproxyGuestController, reachStandInGuest, type RunHaproxy } from './haproxy-guests.js';

/** Upstream's simulated vCenter uses the same: nothing of a machine is left when its object goes. */
const finalizer = 'vcsim.fake.infrastructure.cluster.x-k8s.io';

/** For a vCenter that is simulated: what its virtual machines boot runs in memory, and load balancers lead to it. */
export function createStandInVCenterGuests(
  guests: StandInGuests,
  runHaproxy: RunHaproxy = forwardConnections(guests),
): ControllerSet {
  return {
    name: 'stand-in-vcenter-guests',
    controllers: [
      { name: 'stand-in-vspherevm', create: () => createGuestController(guests) },
      { name: 'stand-in-vspherecluster', create: () => createEndpointController(guests) },
      { name: 'stand-in-haproxy', create: () => createHaproxyGuestController(runHaproxy) },
    ],
  };
}

function createGuestController(guests: StandInGuests): Controller {
  const none = (): ObjectKey[] => [];
  return createController({
    name: 'stand-in-vspherevm',
    for: vsphereVms,
    concurrency: 50,
    watches: [
      watch(vsphereMachines, { map: none }),
      watch(vsphereClusters, { map: none }),
      watch(machines, { map: none }),
    ],
    reconcile: (key, context) => reconcileGuest(key, context, guests),
  });
}

async function reconcileGuest(key: ObjectKey, context: ReconcileContext, guests: StandInGuests): Promise<Outcome> {
  const vm = context.sources.sourceFor(vsphereVms).get(key);
  if (vm === undefined) return done();
  if (isDeleting(vm)) {
    const cluster = clusterNameOf({ metadata: vm.metadata });
    if (cluster !== undefined) await guests.shutDown({ namespace: key.namespace, name: cluster }, key.name);
    await releaseFinalizer(context, vsphereVms, vm, finalizer);
    return done();
  }
  if ((await ensureFinalizer(context, vsphereVms, vm, finalizer)).changed) return done();
  const { machine, cluster } = observeParents(context.sources, vm);
  const [address] = vm.status?.addresses ?? [];
  if (machine === undefined || cluster === undefined || address === undefined || vm.status?.ready !== true) {
    return wait({ reason: 'WaitingForMachine', message: 'the virtual machine has no address yet' });
  }
  const clusterKey = { namespace: key.namespace, name: cluster.metadata.name ?? '' };
  await reserveEndpoint(context, clusterKey, cluster.spec.controlPlaneEndpoint, guests);
  const { uid = '' } = vm.metadata;
  const providerId = providerIdOf(vm.spec.biosUUID ?? '');
  const confirm = () => confirmWanted(context, vsphereVms, vm);
  await guests.boot({ machine, cluster, name: key.name, uid, address, providerId, confirm }, context);
  return done();
}

/** Plays what makes the endpoint of a cluster answer: kube-vip or a load balancer. */
function createEndpointController(guests: StandInGuests): Controller {
  return createController({
    name: 'stand-in-vspherecluster',
    for: vsphereClusters,
    concurrency: 50,
    watches: [watch(vsphereVms, { map: () => [] })],
    reconcile: (key, context) => reconcileEndpoint(key, context, guests),
  });
}

async function reconcileEndpoint(key: ObjectKey, context: ReconcileContext, guests: StandInGuests): Promise<Outcome> {
  const vsphereCluster = context.sources.sourceFor(vsphereClusters).get(key);
  const cluster = vsphereCluster && ownerClusterKey(vsphereCluster);
  if (vsphereCluster === undefined || cluster === undefined) return done();
  if (isDeleting(vsphereCluster)) {
    await guests.release(cluster);
    await releaseFinalizer(context, vsphereClusters, vsphereCluster, finalizer);
    return done();
  }
  const { changed } = await ensureFinalizer(context, vsphereClusters, vsphereCluster, finalizer);
  if (!changed) await reserveEndpoint(context, cluster, vsphereCluster.spec.controlPlaneEndpoint, guests);
  return done();
}

async function reserveEndpoint(
  { sources }: ReconcileContext,
  cluster: ObjectKey,
  { host = '', port = 0 }: { readonly host?: string; readonly port?: number } = {},
  guests: StandInGuests,
): Promise<void> {
  if (host === '' || port === 0) return;
  const vms = sources.sourceFor(vsphereVms);
  const isBalanced = keysOfCluster(sources, vsphereVms, cluster)
    .flatMap((key) => vms.get(key) ?? [])
    .some((vm) => isLoadBalancer(vm) && vm.status?.addresses?.some((each) => reachStandInGuest(each) === host));
  await guests.reserve(cluster, { host, port, isBalanced });
}
