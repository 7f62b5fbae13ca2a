export * from './approver/index.js';
export * from './openshift/index.js';
