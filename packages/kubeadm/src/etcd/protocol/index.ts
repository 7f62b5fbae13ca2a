export type { Rpc } from './rpc.js';
export { alarmActions, alarmNames, etcdRpcs } from './rpc.js';
export { decodeFrame, encodeFrame } from './wire.js';
