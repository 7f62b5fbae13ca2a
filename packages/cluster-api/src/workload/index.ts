export { AmbiguousNodeError, isUnreachable, nodeByProviderId, nodeInformer } from './nodes.js';
