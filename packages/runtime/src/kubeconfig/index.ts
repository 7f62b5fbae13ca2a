export type { ContextConfig } from './connection-of.js';
export { connectionOf } from './connection-of.js';
export type { Kubeconfig } from './kubeconfig.js';
export { KubeconfigError, parseKubeconfig } from './kubeconfig.js';
export { findConnection, loadKubeconfig } from './load-kubeconfig.js';
