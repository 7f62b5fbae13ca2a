export * from './client/index.js';
export * from './controllers/index.js';
