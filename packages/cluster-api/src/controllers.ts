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
import { topologyControllers } from './topology/index.js';
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

/** The core controllers. Their kinds, rules and conversions are installed with the kinds. */
export const clusterApiControllers: ControllerSet = {
  name: 'cluster-api',
  featureGates,
  settings,
  controllers: [
    clusterController(),
    machineController(),
    ...machineControllers,
    clusterResourceSetController,
    clusterResourceSetBindingController,
    ...ipamControllers,
    // The inventory is not the core's: whoever installs providers keeps it.
    crdMigrator({ name: 'crdmigrator', kinds: clusterApiKinds.filter((kind) => kind !== provider) }),
    ...topologyControllers,
  ],
};

/** What is on by default is Beta, what is off is Alpha, as it is upstream. */
function stageOf(name: string, open: boolean): 'Alpha' | 'Beta' | 'GA' {
  if (generallyAvailable.has(name)) return 'GA';
  return open ? 'Beta' : 'Alpha';
}
