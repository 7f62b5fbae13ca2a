export type { InProcessClientOptions } from './in-process-client.js';
export { InProcessClient } from './in-process-client.js';
