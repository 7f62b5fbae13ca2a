export * from './clock/index.js';
export * from './http/index.js';
export * from './log/index.js';
export * from './net/index.js';
export * from './pki/index.js';
export * from './process/index.js';
export * from './scope/index.js';
export * from './websocket/index.js';
