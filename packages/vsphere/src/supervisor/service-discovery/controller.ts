import { clusterWatch, workloadClusters } from '@slipway/cluster-api';
import {
  configMaps,
  type Controller,
  type ControllerContext,
  createController,
  InformerFactory,
  keyOf,
  type ObjectKey,
  type Resource,
  services,
  type Trigger,
} from '@slipway/runtime';
import { supervisorClusters } from '../../api/index.js';
import type { VSphereFeatures } from '../../feature-gates.js';
import { onConnection } from '../workload-scope.js';
import { reconcileServiceDiscovery } from './reconcile.js';
import { clusterInfo, loadBalancerService } from './supervisor-address.js';

export function createServiceDiscoveryController(context: ControllerContext, features: VSphereFeatures): Controller {
  const { sources, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  return createController({
    name: 'supervisor-servicediscovery',
    for: supervisorClusters,
    concurrency,
    filter: watchFilter,
    watches: [clusterWatch(supervisorClusters)],
    triggers: [onConnection(workloads, sources), onSupervisorAddress(context)],
    reconcile: (key, reconcileContext) => reconcileServiceDiscovery(key, reconcileContext, { workloads, features }),
  });
}

/** Watches one Service and one ConfigMap by name, and enqueues every cluster when they change. */
function onSupervisorAddress({ client, clock, random, logger, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const factory = new InformerFactory({ client, clock, random, logger });
    const notify = (): void => {
      for (const vsphereCluster of sources.sourceFor(supervisorClusters).list()) enqueue(keyOf(vsphereCluster));
    };
    const follow = (resource: Resource, { namespace, name }: ObjectKey): void => {
      const options = { namespace, fieldSelector: `metadata.name=${name}` };
      factory.informer(resource, options).addHandler({ added: notify, updated: notify, deleted: notify });
    };
    follow(services, loadBalancerService);
    follow(configMaps, clusterInfo);
    return factory;
  };
}
