export { preferShortPauses } from './collector.js';
export type { KubernetesServerOptions, ListenOptions } from './kubernetes-server.js';
export { KubernetesServer } from './kubernetes-server.js';
