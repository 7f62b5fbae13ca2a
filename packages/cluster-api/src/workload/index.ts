export { isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
