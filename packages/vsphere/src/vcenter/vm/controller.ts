import { clusters, ipAddressClaims, ipAddresses, keysOfCluster, machines } from '@slipway/cluster-api';
import { deepEqual, type Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type ClusterCache,
  type Controller,
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
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereFailureDomains,
  vsphereMachines,
  vsphereVms,
} from '../../api/index.js';
import type { VCenterWorld } from '../world.js';
import { ownerClusterKey } from '../owner-cluster.js';
import { reconcileVSphereVm } from './reconcile.js';
import { VmWatches } from './vm-watches.js';

export interface VSphereVmControllerOptions {
  readonly world: VCenterWorld;
  readonly sources: Sources;
  readonly workloads: ClusterCache;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createVSphereVmController(options: VSphereVmControllerOptions): Controller {
  const { world, sources, workloads, concurrency, filter } = options;
  const watches = new VmWatches();
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
    ],
    triggers: [() => ({ dispose: () => watches.dispose() })],
    reconcile: (key, context) => reconcileVSphereVm(key, context, { world, watches, workloads }),
  });
}

/** A VSphereCluster that appears, and one whose modules changed, in whatever order they stand. */
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
