import type { ControllerDescriptor } from '@slipway/runtime';
import { createClusterClassController } from '../cluster-class/index.js';
import { createExtensionConfigController } from '../runtime-extensions/index.js';
import { createTopologyController } from './controller.js';

/** The controllers behind ClusterClasses, the topologies of Clusters, and the extensions that take part in them. */
export const topologyControllers: readonly ControllerDescriptor[] = [
  {
    name: 'clusterclass',
    concurrencyDefault: 10,
    featureGate: 'ClusterTopology',
    create: (context) => createClusterClassController(context),
  },
  {
    name: 'topology/cluster',
    concurrencyFlag: 'clustertopology-concurrency',
    concurrencyDefault: 50,
    featureGate: 'ClusterTopology',
    create: (context) => createTopologyController(context),
  },
  {
    name: 'extensionconfig',
    concurrencyDefault: 10,
    featureGate: 'RuntimeSDK',
    create: (context) => createExtensionConfigController(context),
  },
];
