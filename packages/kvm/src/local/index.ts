export { LocalService, type LocalServiceOptions } from './local-service.js';
