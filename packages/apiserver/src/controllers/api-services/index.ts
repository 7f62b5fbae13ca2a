export { startApiServices } from './api-services.js';
