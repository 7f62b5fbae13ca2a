export { kubectlArguments, type ObjectRef, type Observed, refKey, refOf, refText } from './object-ref.js';
export { keyMaterial, missingSecrets } from './key-material.js';
export { ObjectSet } from './object-set.js';
export {
  type ClusterReadOptions,
  findObject,
  NotFoundError,
  readAll,
  readCluster,
  readObject,
} from './read-objects.js';
export {
  clusterNameOf,
  isControlPlaneObject,
  type Reference,
  referenceAt,
  referencesOf,
  type Role,
} from './references.js';
export { relatedTo } from './related.js';
export { watchCluster } from './watch-cluster.js';
export { findByArguments, type FoundObject, parseObjectArguments } from './find-by-arguments.js';
export { ownerships } from './ownership.js';
