export * from './approver/index.js';
export * from './migration/index.js';
export * from './openshift/index.js';
export * from './provider-operator/index.js';
