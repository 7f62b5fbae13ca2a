export * from './approver/index.js';
