export type { PortForwarder } from './port-forwarder.js';
export { serveUpgrade } from './upgrade.js';
