import type { Kind } from '@slipway/kube';
import { clusterVirtualMachineImage, virtualMachineClass, virtualMachineImage } from './images-and-classes.js';
import { distributedNetwork, subnetSet, virtualNetwork } from './networks.js';
import { virtualMachine } from './virtual-machine.js';
import { virtualMachineGroup } from './virtual-machine-group.js';
import { virtualMachineService } from './virtual-machine-service.js';
import { virtualMachineSetResourcePolicy } from './virtual-machine-set-resource-policy.js';
import { availabilityZone, zone } from './zones.js';

export {
  type ClusterVirtualMachineImage,
  clusterVirtualMachineImage,
  type VirtualMachineClass,
  virtualMachineClass,
} from './images-and-classes.js';
export type { DistributedNetwork, SubnetSet, VirtualNetwork } from './networks.js';
export {
  availabilityZones,
  distributedNetworks,
  subnetSets,
  virtualMachineClasses,
  virtualMachineGroups,
  virtualMachines,
  virtualMachineServices,
  virtualMachineSetResourcePolicies,
  virtualNetworks,
  zones,
} from './resources.js';
export { type VmOperatorVersion, vmOperatorVersions } from './versions.js';
export { type VirtualMachineGroup, virtualMachineGroup } from './virtual-machine-group.js';
export { type VirtualMachineService, virtualMachineService } from './virtual-machine-service.js';
export {
  type VirtualMachineSetResourcePolicy,
  virtualMachineSetResourcePolicy,
} from './virtual-machine-set-resource-policy.js';
export { type VirtualMachine, virtualMachine } from './virtual-machine.js';

/** The kinds that a Supervisor installs itself, for control planes that simulate a Supervisor. */
export const platformKinds: readonly Kind[] = [
  availabilityZone,
  clusterVirtualMachineImage,
  distributedNetwork,
  subnetSet,
  virtualMachine,
  virtualMachineClass,
  virtualMachineGroup,
  virtualMachineImage,
  virtualMachineService,
  virtualMachineSetResourcePolicy,
  virtualNetwork,
  zone,
];
