export * from './plan/index.js';
