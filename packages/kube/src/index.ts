export * from './apply/index.js';
export * from './errors/index.js';
export * from './json/index.js';
export * from './meta/index.js';
export * from './schema/index.js';
