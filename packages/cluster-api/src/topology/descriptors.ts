import type { ControllerDescriptor } from '@slipway/runtime';
import { createClusterClassController } from '../cluster-class/index.js';
import { createTopologyController } from './controller.js';

/** The controllers behind ClusterClasses and the topologies of Clusters. */
export const topologyControllers: readonly ControllerDescriptor[] = [
  {
    name: 'clusterclass',
    concurrencyDefault: 10,
    featureGate: 'ClusterTopology',
    create: createClusterClassController,
  },
  {
    name: 'topology/cluster',
    concurrencyFlag: 'clustertopology-concurrency',
    concurrencyDefault: 50,
    featureGate: 'ClusterTopology',
    create: createTopologyController,
  },
];
