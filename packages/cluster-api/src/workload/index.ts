export {
  remoteConditionsGraceMs,
  remoteConditionsGracePeriod,
  remoteConnectionGracePeriod,
} from './grace-periods.js';
export { connectedClient } from './connected-client.js';
export { isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
