export * from './admission/index.js';
export * from './api/index.js';
