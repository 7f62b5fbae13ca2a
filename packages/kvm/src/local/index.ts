export { LocalService } from './local-service.js';
export { pruneImages } from './images/index.js';
