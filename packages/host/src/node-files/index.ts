export { findNodeFiles, type NodeFiles, NodeFilesMissing } from './node-files.js';
export { PrepareError, prepareNodeFiles } from './prepare-node-files.js';
