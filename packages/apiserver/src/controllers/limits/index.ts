export { createLimitRanger } from './limit-ranger.js';
