export { bundleScript } from './bundle-script.js';
