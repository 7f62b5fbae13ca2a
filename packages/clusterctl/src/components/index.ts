export { componentResources } from './component-resources.js';
export { placeObjects, type ProviderComponents, readComponents } from './components.js';
export { isManagerDeployment, withImages } from './images.js';
export { ownNamespace } from './target-namespace.js';
