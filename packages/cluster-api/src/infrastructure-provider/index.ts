export {
  type BalancedServer,
  haproxyAddress,
  haproxyBackend,
  haproxyDefaults,
  serverWeight,
  sortedServers,
} from './haproxy-sections.js';
export {
  addressPoolOf,
  claimAddress,
  ensureAddressPool,
  releaseAddress,
} from './machine-addresses.js';
export { machineOwnersOf, ownerClusterOf, ownerNameOf, ownerOf } from './owners.js';
export {
  clusterOfMachinesWatch,
  clusterWatch,
  infrastructureOfCluster,
  machinePoolWatch,
  machineWatch,
} from './owner-watches.js';
export { type Missing, whatIsMissing } from './prerequisites.js';
