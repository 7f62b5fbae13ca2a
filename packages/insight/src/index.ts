export * from './objects/index.js';
export * from './tree/index.js';
export * from './why/index.js';
export * from './plan/index.js';
