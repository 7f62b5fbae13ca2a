export { HandlerTransport, type HandlerTransportOptions } from './handler-transport.js';
export type { InProcessClientOptions } from './in-process-client.js';
export { InProcessClient } from './in-process-client.js';
