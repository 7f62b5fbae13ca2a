import { resourceOf } from '@slipway/runtime';
import { virtualMachineClass } from './images-and-classes.js';
import { distributedNetwork, subnetSet, virtualNetwork } from './networks.js';
import { virtualMachine } from './virtual-machine.js';
import { virtualMachineGroup } from './virtual-machine-group.js';
import { virtualMachineService } from './virtual-machine-service.js';
import { virtualMachineSetResourcePolicy } from './virtual-machine-set-resource-policy.js';
import { availabilityZone, zone } from './zones.js';

export const virtualMachines = resourceOf(virtualMachine);
export const virtualMachineServices = resourceOf(virtualMachineService);
export const virtualMachineSetResourcePolicies = resourceOf(virtualMachineSetResourcePolicy);
export const virtualMachineGroups = resourceOf(virtualMachineGroup);
export const virtualMachineClasses = resourceOf(virtualMachineClass);

export const distributedNetworks = resourceOf(distributedNetwork);
export const virtualNetworks = resourceOf(virtualNetwork);
export const subnetSets = resourceOf(subnetSet);
export const zones = resourceOf(zone);
export const availabilityZones = resourceOf(availabilityZone);
