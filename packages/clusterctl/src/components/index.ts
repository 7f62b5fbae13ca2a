export { type ComponentsOptions, type ProviderComponents, readComponents } from './components.js';
export { isManagerDeployment } from './images.js';
