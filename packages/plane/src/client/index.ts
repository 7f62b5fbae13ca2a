export { HandlerTransport } from './handler-transport.js';
export { InProcessClient } from './in-process-client.js';
