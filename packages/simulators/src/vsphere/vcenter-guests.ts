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
import type { SimulatedGuests } from './guests.js';
import { createHaproxyGuestController, reachSimulatedGuest, type RunHaproxy } from './haproxy-guests.js';

/** Same finalizer as in upstream's simulated vCenter. */
const finalizer = 'vcsim.fake.infrastructure.cluster.x-k8s.io';

/** Simulates the guests of a simulated vCenter's VMs in memory, and the load balancers in front of them. */
export function createSimulatedVCenterGuests(
  guests: SimulatedGuests,
  runHaproxy: RunHaproxy = forwardConnections(guests),
): ControllerSet {
  return {
    name: 'simulated-vcenter-guests',
    controllers: [
      { name: 'simulated-vspherevm', create: () => createGuestController(guests) },
      { name: 'simulated-vspherecluster', create: () => createEndpointController(guests) },
      { name: 'simulated-haproxy', create: () => createHaproxyGuestController(runHaproxy) },
    ],
  };
}

function createGuestController(guests: SimulatedGuests): Controller {
  const none = (): ObjectKey[] => [];
  return createController({
    name: 'simulated-vspherevm',
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

async function reconcileGuest(key: ObjectKey, context: ReconcileContext, guests: SimulatedGuests): Promise<Outcome> {
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
    return wait({ reason: 'WaitingForMachine', message: 'Waiting for the virtual machine to report an address' });
  }
  const clusterKey = { namespace: key.namespace, name: cluster.metadata.name ?? '' };
  await reserveEndpoint(context, clusterKey, cluster.spec.controlPlaneEndpoint, guests);
  const { uid = '' } = vm.metadata;
  const providerId = providerIdOf(vm.spec.biosUUID ?? '');
  const confirm = () => confirmWanted(context, vsphereVms, vm);
  await guests.boot({ machine, cluster, name: key.name, uid, address, providerId, confirm }, context);
  return done();
}

/** Simulates kube-vip or a load balancer behind the endpoint of a cluster. */
function createEndpointController(guests: SimulatedGuests): Controller {
  return createController({
    name: 'simulated-vspherecluster',
    for: vsphereClusters,
    concurrency: 50,
    watches: [watch(vsphereVms, { map: () => [] })],
    reconcile: (key, context) => reconcileEndpoint(key, context, guests),
  });
}

async function reconcileEndpoint(key: ObjectKey, context: ReconcileContext, guests: SimulatedGuests): Promise<Outcome> {
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
  guests: SimulatedGuests,
): Promise<void> {
  if (host === '' || port === 0) return;
  const vms = sources.sourceFor(vsphereVms);
  const isBalanced = keysOfCluster(sources, vsphereVms, cluster)
    .flatMap((key) => vms.get(key) ?? [])
    .some((vm) => isLoadBalancer(vm) && vm.status?.addresses?.some((each) => reachSimulatedGuest(each) === host));
  await guests.reserve(cluster, { host, port, isBalanced });
}
