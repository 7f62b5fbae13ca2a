export * from './client/index.js';
export * from './kubeconfig/index.js';
