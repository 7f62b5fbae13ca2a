export { connectedClient } from './connected-client.js';
export { isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
