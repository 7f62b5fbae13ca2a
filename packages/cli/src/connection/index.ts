export { commandWriter } from './command-writer.js';
export type { ConnectedServer, ServerFlags } from './connect-server.js';
export { connectServer, readConnection } from './connect-server.js';
export type { Target, TargetFlags } from './open-target.js';
export { openTarget, withTarget } from './open-target.js';
