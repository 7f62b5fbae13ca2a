export * from './admission/index.js';
export * from './api/index.js';
export * from './contract/index.js';
export * from './conversion/index.js';
export * from './feature-gates.js';
export * from './naming/index.js';
export * from './variables/index.js';
export * from './version/index.js';
