export * from './admission/index.js';
export * from './api/index.js';
export * from './feature-gates.js';
export * from './machine/index.js';
export * from './vim25/index.js';
