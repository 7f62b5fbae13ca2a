import { clusterWatch } from '@slipway/cluster-api';
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
  const { workloads, sources, concurrency, watchFilter } = context;
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

/** Two objects by name, out of all Services and ConfigMaps: every cluster looks again when one of them changes. */
function onSupervisorAddress({ client, clock, random, logger, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const factory = new InformerFactory({ client, clock, random, logger });
    const tell = (): void => {
      for (const vsphereCluster of sources.sourceFor(supervisorClusters).list()) enqueue(keyOf(vsphereCluster));
    };
    const follow = (resource: Resource, { namespace, name }: ObjectKey): void => {
      const options = { namespace, fieldSelector: `metadata.name=${name}` };
      factory.informer(resource, options).addHandler({ added: tell, updated: tell, deleted: tell });
    };
    follow(services, loadBalancerService);
    follow(configMaps, clusterInfo);
    return factory;
  };
}
