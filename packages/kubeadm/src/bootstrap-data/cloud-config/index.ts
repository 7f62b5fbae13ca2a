export { renderCloudConfig } from './cloud-config.js';
