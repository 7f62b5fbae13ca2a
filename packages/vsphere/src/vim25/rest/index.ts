export { ClusterModules } from './cluster-modules.js';
export { Tags } from './tags.js';
