export * from './conversions/index.js';
export * from './kinds.js';
export * from './names.js';
export * from './platform/index.js';
export * from './resources.js';
export * from './supervisor/index.js';
export * from './vcenter/index.js';
