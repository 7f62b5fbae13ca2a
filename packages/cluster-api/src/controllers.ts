import type { ControllerDescriptor, ControllerSet, FeatureGate } from '@slipway/runtime';
import { clusterApiKinds, provider } from './api/index.js';
import { clusterController, type ClusterControllerOptions } from './cluster/index.js';
import { clusterResourceSetBindingController, clusterResourceSetController } from './cluster-resource-set/index.js';
import { crdMigrator } from './crd-migration/index.js';
import { featureGateDefaults } from './feature-gates.js';
import { ipamControllers } from './ipam/index.js';
import { machineController, type MachineControllerOptions } from './machine/index.js';
import { machineControllers } from './machine-controllers.js';
import { topologyControllers } from './topology/index.js';

const generallyAvailable: ReadonlySet<string> = new Set(['MachineWaitForVolumeDetachConsiderVolumeAttachments']);

const featureGates: readonly FeatureGate[] = Object.entries(featureGateDefaults).map(([name, open]) => ({
  name,
  default: open,
  stage: stageOf(name, open),
}));

function controllersOf(options: ClusterApiOptions): readonly ControllerDescriptor[] {
  return [
    clusterController(options.cluster),
    machineController(options.machine),
    ...machineControllers,
    clusterResourceSetController,
    clusterResourceSetBindingController,
    ...ipamControllers,
    // The inventory is not the core's: whoever installs providers keeps it.
    crdMigrator({ name: 'crdmigrator', kinds: clusterApiKinds.filter((kind) => kind !== provider) }),
    ...topologyControllers,
  ];
}

/** What the flags of the manager choose. */
export interface ClusterApiOptions {
  readonly cluster?: ClusterControllerOptions;
  readonly machine?: MachineControllerOptions;
}

/** The core controllers. Their kinds, rules and conversions are installed with the kinds. */
export function createClusterApiControllers(options: ClusterApiOptions = {}): ControllerSet {
  return { name: 'cluster-api', featureGates, controllers: controllersOf(options) };
}

export const clusterApiControllers: ControllerSet = createClusterApiControllers();

/** What is on by default is Beta, what is off is Alpha, as it is upstream. */
function stageOf(name: string, open: boolean): 'Alpha' | 'Beta' | 'GA' {
  if (generallyAvailable.has(name)) return 'GA';
  return open ? 'Beta' : 'Alpha';
}
