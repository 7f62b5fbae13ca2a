export * from './provider-service-account.js';
export * from './supervisor-cluster-template.js';
export * from './supervisor-cluster.js';
export * from './supervisor-machine-template.js';
export * from './supervisor-machine.js';
export { networkProviders } from './cluster-spec.js';
