export * from './errors/index.js';
export * from './json/index.js';
export * from './meta/index.js';
export * from './patch/index.js';
export * from './quantity/index.js';
export * from './schema/index.js';
export * from './selectors/index.js';
export * from './time/index.js';
