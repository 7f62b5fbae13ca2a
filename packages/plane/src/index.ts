export * from './client/index.js';
export * from './controllers/index.js';
export * from './kinds/index.js';
