export { type HttpRequest, type HttpResponse, ServerConnection } from './connection.js';
export { addressText, parseServerAddress } from './server-address.js';
export { thumbprintsOf, type Trust } from './trust.js';
