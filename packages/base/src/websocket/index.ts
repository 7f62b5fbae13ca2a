export type { WebSocketMessage } from './frame.js';
export { encodeWebSocketFrame, webSocketAccept, WebSocketDecoder, WebSocketError, webSocketOpcodes } from './frame.js';
