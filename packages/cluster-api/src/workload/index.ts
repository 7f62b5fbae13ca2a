export {
  remoteConditionsGraceMs,
  remoteConditionsGracePeriod,
  remoteConnectionGracePeriod,
} from './grace-periods.js';
export { connectedCluster } from './connected-cluster.js';
export { isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
