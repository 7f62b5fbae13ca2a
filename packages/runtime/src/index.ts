export * from './builtin-resources/index.js';
export * from './client/index.js';
export * from './cluster-cache/index.js';
export * from './informer/index.js';
export * from './kubeconfig/index.js';
