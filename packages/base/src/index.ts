export {
  type Clock,
  type Random,
  seededRandom,
  sleep,
  systemClock,
  systemRandom,
  type Timer,
  VirtualClock,
} from './clock/index.js';
export {
  type BodySink,
  type BodyStream,
  headerText,
  type HttpRequest,
  type ReadBodyOptions,
  type HttpResponse,
  type RequestHeaders,
  type ResponseHeaders,
} from './http/index.js';
export { createLogger, type LogFields, type Logger, prettyLine, silentLogger } from './log/index.js';
export {
  advertisedAddress,
  httpsExchange,
  listenOn,
  tlsTrust,
} from './net/index.js';
export {
  CommandError,
  endProcess,
  identify,
  isAlive,
  type ProcessIdentity,
  readIfPresent,
  runCommand,
} from './process/index.js';
export { type Disposable, Scope } from './scope/index.js';
export {
  encodeWebSocketFrame,
  webSocketAccept,
  WebSocketDecoder,
  type WebSocketMessage,
  webSocketOpcodes,
} from './websocket/index.js';
