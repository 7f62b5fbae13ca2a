export { createClusterDrivers } from './controller.js';
