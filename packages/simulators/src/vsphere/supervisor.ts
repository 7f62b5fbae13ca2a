import { toCustomResourceDefinition } from '@slipway/kube';
import type { ControllerSet } from '@slipway/runtime';
import { platformKinds, subnetSets, virtualNetworks } from '@slipway/vsphere';
import { createStandInInfoController } from './cluster-info.js';
import type { StandInGuests } from './guests.js';
import { createStandInNetworkController } from './networks.js';
import { createStandInOffersController } from './offers.js';
import { createStandInVmController } from './virtual-machine.js';
import { createStandInServiceController } from './virtual-machine-service.js';

export interface StandInSupervisorOptions {
  readonly guests: StandInGuests;
  /** How long a machine takes to be powered on. */
  readonly powerOnMs?: number;
  /** Whether every namespace is offered classes of machines and a network; else somebody else does. */
  readonly offers?: boolean;
}

/**
 * A Supervisor for people who have none: the kinds of VM Operator and of the networks, and controllers that act on them as a
 * Supervisor would, but for machines that boot in memory.
 */
export function createStandInSupervisor(options: StandInSupervisorOptions): ControllerSet {
  const { guests, powerOnMs = 0, offers = false } = options;
  const networks = [virtualNetworks, subnetSets];
  return {
    name: 'stand-in-supervisor',
    customResourceDefinitions: () => platformKinds.map((kind) => toCustomResourceDefinition(kind)),
    controllers: [
      { name: 'stand-in-virtualmachine', create: () => createStandInVmController({ guests, powerOnMs }) },
      { name: 'stand-in-virtualmachineservice', create: () => createStandInServiceController({ guests }) },
      ...(offers ? [{ name: 'stand-in-offers', create: createStandInOffersController }] : []),
      { name: 'stand-in-clusterinfo', create: () => createStandInInfoController() },
      ...networks.map((resource) => ({
        name: `stand-in-${resource.plural}`,
        create: () => createStandInNetworkController(resource),
      })),
    ],
  };
}
