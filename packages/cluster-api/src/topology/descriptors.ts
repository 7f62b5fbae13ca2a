import type { ControllerDescriptor } from '@slipway/runtime';
import { createClusterClassController } from '../cluster-class/index.js';
import { createExtensionConfigController, type ExtensionTransport } from '../runtime-extensions/index.js';
import { createTopologyController } from './controller.js';

/**
 * Returns the controllers for ClusterClasses, Cluster topologies and runtime extensions. Extensions are called over HTTPS by
 * default.
 */
export function createTopologyControllers(transport?: ExtensionTransport): readonly ControllerDescriptor[] {
  return [
    {
      name: 'clusterclass',
      concurrencyDefault: 10,
      featureGate: 'ClusterTopology',
      create: (context) => createClusterClassController(context, transport),
    },
    {
      name: 'topology/cluster',
      concurrencyFlag: 'clustertopology-concurrency',
      concurrencyDefault: 50,
      featureGate: 'ClusterTopology',
      create: (context) => createTopologyController(context, transport),
    },
    {
      name: 'extensionconfig',
      concurrencyDefault: 10,
      featureGate: 'RuntimeSDK',
      create: (context) => createExtensionConfigController(context, transport),
    },
  ];
}

export const topologyControllers: readonly ControllerDescriptor[] = createTopologyControllers();
