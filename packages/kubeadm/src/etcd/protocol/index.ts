export type { MessageType } from './message.js';
export type { Rpc } from './rpc.js';
export { alarmActions, alarmNames, etcdRpcs } from './rpc.js';
export { decodeFrame, encodeFrame, FrameError } from './grpc-frame.js';
export { WireError } from './wire.js';
