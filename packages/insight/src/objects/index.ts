export { kubectlWords, type ObjectRef, type Observed, refKey, refOf, refText, sameRef } from './object-ref.js';
export { type Absence, ObjectSet, type ObjectSetParts, type ObservedEvent } from './object-set.js';
export { type ClusterReadOptions, findObject, NotThere, readAll, readCluster, readObject } from './read-objects.js';
export {
  clusterNameOf,
  isControlPlaneObject,
  type Reference,
  referenceAt,
  type ReferenceField,
  referenceFields,
  referencesOf,
  type Role,
} from './references.js';
export { watchCluster, type WatchClusterOptions } from './watch-cluster.js';
export { findByWords, type FoundObject, type ObjectWords, parseObjectWords } from './find-by-words.js';
export { ownershipDiagram, referenceDiagram } from './diagrams.js';
export { type Ownership, ownerships } from './ownership.js';
