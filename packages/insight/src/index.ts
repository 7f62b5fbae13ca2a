export * from './objects/index.js';
export * from './tree/index.js';
export * from './why/index.js';
export * from './plan/index.js';
export * from './rollout/index.js';
export * from './timeline/index.js';
export * from './unblock/index.js';
export * from './doctor/index.js';
