export * from './move/index.js';
