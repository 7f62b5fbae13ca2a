export type { DecodedProtobuf } from './decode.js';
export { decodeProtobuf } from './decode.js';
export { encodeProtobuf, encodeWatchFrame } from './encode.js';
