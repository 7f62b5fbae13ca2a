export { preferShortPauses, preferSmallHeap } from './collector.js';
export { KubernetesServer, type KubernetesServerOptions, type ServingIdentity } from './kubernetes-server.js';
