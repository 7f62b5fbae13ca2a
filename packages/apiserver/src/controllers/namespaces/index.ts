export { startNamespaceController, systemNamespaces } from './namespace-controller.js';
