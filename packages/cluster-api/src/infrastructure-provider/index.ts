export { type MachineOwners, machineOwnersOf, ownerClusterOf, ownerNameOf } from './owners.js';
export { clusterOfMachinesWatch, clusterWatch, machinePoolWatch, machineWatch } from './owner-watches.js';
export { type Missing, whatIsMissing } from './prerequisites.js';
