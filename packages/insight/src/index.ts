export * from './objects/index.js';
export * from './tree/index.js';
