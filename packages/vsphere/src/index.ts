export * from './vim25/index.js';
