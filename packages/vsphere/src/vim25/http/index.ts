export { type HttpRequest, type HttpResponse, ServerConnection } from './connection.js';
export { addressText, parseServerAddress, type ServerAddress } from './server-address.js';
export { thumbprintsOf, type Trust, verifiesCertificates } from './trust.js';
