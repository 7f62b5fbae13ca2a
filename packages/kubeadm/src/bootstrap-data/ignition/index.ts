export { renderIgnition } from './render-ignition.js';
