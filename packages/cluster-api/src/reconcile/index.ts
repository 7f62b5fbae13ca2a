export { clusterNameOf, clusterOf, keysOfCluster, type ObservedCluster } from './cluster-of.js';
export { isGone } from './is-gone.js';
export { type Phase, runPhases, step } from './run-phases.js';
export { writeCause } from './write-cause.js';
