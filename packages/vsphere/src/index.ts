export * from './api/index.js';
export * from './machine/index.js';
