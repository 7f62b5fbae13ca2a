export type { KeyedLoopOptions, RunAgain } from './keyed-loop.js';
export { KeyedLoop } from './keyed-loop.js';
export type { ResourceRef } from './loopback-client.js';
export { LoopbackClient } from './loopback-client.js';
