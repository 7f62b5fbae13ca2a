export { preferShortPauses, preferSmallHeap } from './collector.js';
export type { KubernetesServerOptions, ListenOptions, ServingIdentity } from './kubernetes-server.js';
export { KubernetesServer } from './kubernetes-server.js';
