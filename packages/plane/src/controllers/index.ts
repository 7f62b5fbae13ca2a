export { startEmbeddedControllers } from './start-controllers.js';
