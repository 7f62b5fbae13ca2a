import { toCustomResourceDefinition } from '@slipway/kube';
import type { ControllerSet } from '@slipway/runtime';
import { platformKinds, subnetSets, virtualNetworks } from '@slipway/vsphere';
import { createSimulatedInfoController } from './cluster-info.js';
import type { SimulatedGuests } from './guests.js';
import { createSimulatedNetworkController } from './networks.js';
import { createSimulatedOffersController } from './offers.js';
import { createSimulatedVmController } from './virtual-machine.js';
import { createSimulatedServiceController } from './virtual-machine-service.js';

export interface SimulatedSupervisorOptions {
  readonly guests: SimulatedGuests;
  /** Time until a machine is powered on. */
  readonly powerOnMs?: number;
  /** Whether the simulator creates VM classes and a network in every namespace. */
  readonly offers?: boolean;
}

/**
 * A simulated Supervisor: the CRDs of VM Operator and of the networks, and controllers that reconcile them in memory.
 */
export function createSimulatedSupervisor(options: SimulatedSupervisorOptions): ControllerSet {
  const { guests, powerOnMs = 0, offers = false } = options;
  const networks = [virtualNetworks, subnetSets];
  return {
    name: 'simulated-supervisor',
    customResourceDefinitions: () => platformKinds.map((kind) => toCustomResourceDefinition(kind)),
    controllers: [
      { name: 'simulated-virtualmachine', create: () => createSimulatedVmController({ guests, powerOnMs }) },
      { name: 'simulated-virtualmachineservice', create: () => createSimulatedServiceController({ guests }) },
      ...(offers ? [{ name: 'simulated-offers', create: createSimulatedOffersController }] : []),
      { name: 'simulated-clusterinfo', create: () => createSimulatedInfoController() },
      ...networks.map((resource) => ({
        name: `simulated-${resource.plural}`,
        create: () => createSimulatedNetworkController(resource),
      })),
    ],
  };
}
