export { conditionOf, keyOf, namespace, ProviderPlane } from './provider-plane.js';
