export type { MessageType } from './message.js';
export type { Rpc } from './rpc.js';
export { alarmActions, alarmNames, etcdRpcs } from './rpc.js';
export { decodeFrame, encodeFrame } from './grpc-frame.js';
