export {
  clusterInfoName,
  clusterInfoNamespace,
  createClusterInfo,
  createClusterInfoAccess,
  signedClusterInfo,
  signingTokens,
} from './cluster-info.js';
export { detachedSignature, isDetachedSignature } from './detached-signature.js';
