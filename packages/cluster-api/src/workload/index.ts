export {
  remoteConditionsGraceMs,
  remoteConditionsGracePeriod,
  remoteConnectionGracePeriod,
} from './grace-periods.js';
export { connectedClient, connectedCluster } from './connected-cluster.js';
export { isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
