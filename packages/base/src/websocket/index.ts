export {
  encodeWebSocketFrame,
  webSocketAccept,
  WebSocketDecoder,
  type WebSocketMessage,
  webSocketOpcodes,
} from './frame.js';
