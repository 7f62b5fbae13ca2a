import type { Kind } from '@slipway/kube';
import { clusterVirtualMachineImage, virtualMachineClass, virtualMachineImage } from './images-and-classes.js';
import { distributedNetwork, subnetSet, virtualNetwork } from './networks.js';
import { virtualMachine } from './virtual-machine.js';
import { virtualMachineGroup } from './virtual-machine-group.js';
import { virtualMachineService } from './virtual-machine-service.js';
import { virtualMachineSetResourcePolicy } from './virtual-machine-set-resource-policy.js';
import { availabilityZone, zone } from './zones.js';

export * from './images-and-classes.js';
export * from './networks.js';
export * from './resources.js';
export * from './versions.js';
export * from './virtual-machine-group.js';
export * from './virtual-machine-service.js';
export * from './virtual-machine-set-resource-policy.js';
export * from './virtual-machine.js';
export * from './zones.js';

/** The kinds that a Supervisor brings, and that a plane which plays one has to be given. */
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
