export type { DecodedProtobuf } from './decode.js';
export { decodeProtobuf, decodeWatchFrame } from './decode.js';
export type { EncodedKind } from './encode.js';
export {
  encodeKind,
  encodeList,
  encodeProtobuf,
  encodeWatchFrame,
  envelopePieces,
  watchFramePieces,
} from './encode.js';
export { protobufMediaType } from './envelope.js';
