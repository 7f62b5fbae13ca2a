export { ClusterModules } from './cluster-modules.js';
export { checkTagId, type Tag, type TagCategory, Tags } from './tags.js';
