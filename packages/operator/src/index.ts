export * from './provider-operator/index.js';
