export { type ClusterInfoOptions, startClusterInfoSigner } from './cluster-info-signer.js';
export { startTokenCleaner } from './token-cleaner.js';
