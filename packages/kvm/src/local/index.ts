export { LocalService, type LocalServiceOptions } from './local-service.js';
export { pruneImages } from './images/index.js';
