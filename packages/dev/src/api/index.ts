export * from './dev-cluster-template.js';
export * from './dev-cluster.js';
export * from './dev-machine-pool-template.js';
export * from './dev-machine-pool.js';
export * from './dev-machine-template.js';
export * from './dev-machine.js';
export * from './conversions/index.js';
export * from './names.js';
