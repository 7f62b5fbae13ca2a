export { clusterDocument, clusterFacts, endpointOf } from './cluster-document.js';
export { initDocument, joinDocument, withUninitializedTaint } from './node-documents.js';
