import {
  clusters,
  ipAddressClaims,
  ipAddresses,
  keysOfCluster,
  machines,
  workloadClusters,
} from '@slipway/cluster-api';
import { deepEqual, type Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  keyOf,
  mapToOwner,
  type ObjectChange,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import {
  type VSphereCluster,
  vsphereClusterIdentities,
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereFailureDomains,
  vsphereMachines,
  vsphereVms,
} from '../../api/index.js';
import { clustersOfSecret, StandBy } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { ownerClusterKey } from '../owner-cluster.js';
import { reconcileVSphereVm } from './reconcile.js';
import { VmWatches } from './vm-watches.js';

export function createVSphereVmController(context: ControllerContext, dependencies: VCenterDependencies): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  const workloads = workloadClusters(context);
  const watches = new VmWatches();
  const standBy = new StandBy();
  const ofCluster = (key: ObjectKey | undefined): ObjectKey[] =>
    key === undefined ? [] : keysOfCluster(sources, vsphereVms, key);
  const none = (): ObjectKey[] => [];
  return createController({
    name: 'vspherevm',
    for: vsphereVms,
    concurrency,
    filter,
    watches: [
      watch(clusters, {
        map: (cluster) => ofCluster(keyOf(cluster)),
        filter: ({ object, previous }) => previous === undefined || object.spec.paused !== previous.spec.paused,
      }),
      watch(vsphereClusters, { map: (one) => ofCluster(ownerClusterKey(one)), filter: mattersToMachines }),
      watch(ipAddressClaims, { map: mapToOwner(vsphereVms) as (claim: Frozen<object>) => Iterable<ObjectKey> }),
      watch(ipAddresses, { map: none }),
      watch(vsphereMachines, { map: none }),
      watch(machines, { map: none }),
      watch(vsphereDeploymentZones, { map: none }),
      watch(vsphereFailureDomains, { map: none }),
      watch(vsphereClusterIdentities, { map: none }),
    ],
    triggers: [
      () => watches,
      () => standBy,
      // A changed Secret enqueues its VMs: watches that keep the session of the old password would retry the login until the
      // account is locked.
      (enqueue) =>
        dependencies.credentials.subscribe((secret) => {
          for (const key of machinesOfSecret(sources, dependencies.controllerNamespace, secret)) enqueue(key);
        }),
    ],
    reconcile: (key, reconcileContext) =>
      reconcileVSphereVm(key, reconcileContext, { dependencies, watches, standBy, workloads }),
  });
}

function machinesOfSecret(sources: Sources, controllerNamespace: string, secret: ObjectKey): ObjectKey[] {
  return clustersOfSecret(sources, controllerNamespace, secret).flatMap((key) => {
    const vsphereCluster = sources.sourceFor(vsphereClusters).get(key);
    const owner = vsphereCluster && ownerClusterKey(vsphereCluster);
    return owner === undefined ? [] : keysOfCluster(sources, vsphereVms, owner);
  });
}

/** Returns whether a VSphereCluster was created, or its modules (in any order) or its identity changed. */
function mattersToMachines({ object, previous }: ObjectChange<VSphereCluster>): boolean {
  if (previous === undefined) return true;
  return (
    !deepEqual(modulesOf(object), modulesOf(previous)) || !deepEqual(object.spec.identityRef, previous.spec.identityRef)
  );
}

function modulesOf({ spec }: Frozen<VSphereCluster>): readonly string[] {
  return (spec.clusterModules ?? [])
    .map(({ controlPlane, targetObjectName, moduleUUID }) => `${controlPlane} ${targetObjectName} ${moduleUUID}`)
    .sort();
}
