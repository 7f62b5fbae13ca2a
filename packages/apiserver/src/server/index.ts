export { preferShortPauses, preferSmallHeap } from './collector.js';
export { KubernetesServer, type ServingIdentity } from './kubernetes-server.js';
