export * from './api/index.js';
export * from './connection/index.js';
export * from './install/index.js';
export * from './matrix/index.js';
export * from './operator/index.js';
export * from './render/index.js';
export * from './supply/index.js';
