export * from './admission/index.js';
export * from './api/index.js';
export * from './bootstrap-data/index.js';
export * from './certificates/index.js';
export * from './etcd/index.js';
export * from './init-lock/index.js';
export * from './tokens/index.js';
export * from './workload/index.js';
