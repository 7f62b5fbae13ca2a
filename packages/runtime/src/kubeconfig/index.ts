export type { ConnectionOptions, ContextConfig } from './connection-of.js';
export { connectionOf } from './connection-of.js';
export type { Kubeconfig } from './kubeconfig.js';
export { KubeconfigError, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.js';
export type { LoadOptions } from './load-kubeconfig.js';
export { findConnection, inClusterConfig, loadKubeconfig } from './load-kubeconfig.js';
