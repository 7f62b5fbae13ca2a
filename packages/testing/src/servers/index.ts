export { type ExtensionServer, handler, startExtensionServer } from './extension-server.js';
export { startHttpsServer, type TestHttpsServer } from './https-server.js';
export { startOciServer } from './oci-server.js';
