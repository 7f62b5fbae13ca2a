export { findNodeFiles, type NodeFiles, NodeFilesMissing } from './node-files.js';
export { podNetworkImage, PrepareError, prepareNodeFiles, type PrepareOptions } from './prepare-node-files.js';
