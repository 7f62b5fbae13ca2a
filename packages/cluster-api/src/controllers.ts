import type { ControllerSet, FeatureGate, Setting } from '@slipway/runtime';
import { clusterApiKinds, provider } from './api/index.js';
import { clusterController } from './cluster/index.js';
import { clusterResourceSetBindingController, clusterResourceSetController } from './cluster-resource-set/index.js';
import { crdMigrator, skipCrdMigrationPhases } from './crd-migration/index.js';
import { featureGateDefaults } from './feature-gates.js';
import { ipamControllers } from './ipam/index.js';
import { additionalSyncMachineAnnotations, additionalSyncMachineLabels, machineController } from './machine/index.js';
import { machineControllers } from './machine-controllers.js';
import { machineSetPreflightChecks } from './machine-set/index.js';
import type { ExtensionTransport } from './runtime-extensions/index.js';
import { createTopologyControllers } from './topology/index.js';
import { remoteConditionsGracePeriod, remoteConnectionGracePeriod } from './workload/index.js';

const generallyAvailable: ReadonlySet<string> = new Set(['MachineWaitForVolumeDetachConsiderVolumeAttachments']);

const featureGates: readonly FeatureGate[] = Object.entries(featureGateDefaults).map(([name, open]) => ({
  name,
  default: open,
  stage: stageOf(name, open),
}));

const settings: readonly Setting<unknown>[] = [
  remoteConnectionGracePeriod,
  remoteConditionsGracePeriod,
  additionalSyncMachineLabels,
  additionalSyncMachineAnnotations,
  machineSetPreflightChecks,
  skipCrdMigrationPhases,
];

/** The core controllers. Their CRDs, admission and conversions are installed separately. */
export const clusterApiControllers: ControllerSet = createClusterApiControllers();

/** Returns the core controllers. `transport` replaces HTTPS for calls to runtime extensions. */
export function createClusterApiControllers(transport?: ExtensionTransport): ControllerSet {
  return {
    name: 'cluster-api',
    featureGates,
    settings,
    controllers: [
      clusterController(),
      machineController(transport === undefined ? {} : { transport }),
      ...machineControllers,
      clusterResourceSetController,
      clusterResourceSetBindingController,
      ...ipamControllers,
      // Exclude the Provider kind: the installer manages the provider inventory.
      crdMigrator({ name: 'crdmigrator', kinds: clusterApiKinds.filter((kind) => kind !== provider) }),
      ...createTopologyControllers(transport),
    ],
  };
}

/** Returns the stage of a feature gate, as upstream: Beta if it is enabled by default, Alpha if not. */
function stageOf(name: string, open: boolean): 'Alpha' | 'Beta' | 'GA' {
  if (generallyAvailable.has(name)) return 'GA';
  return open ? 'Beta' : 'Alpha';
}
