import type { ControllerSet } from '@slipway/runtime';
import { clusterApiKinds } from './api/index.js';
import { clusterController } from './cluster/index.js';
import { clusterResourceSetBindingController, clusterResourceSetController } from './cluster-resource-set/index.js';
import { crdMigrator } from './crd-migration/index.js';
import { featureGateDefaults } from './feature-gates.js';
import { ipamControllers } from './ipam/index.js';
import { machineController } from './machine/index.js';
import { machineControllers } from './machine-controllers.js';
import { topologyControllers } from './topology/index.js';

const generallyAvailable: ReadonlySet<string> = new Set(['MachineWaitForVolumeDetachConsiderVolumeAttachments']);

/** The core controllers. Their kinds, rules and conversions are installed with the kinds. */
export const clusterApiControllers: ControllerSet = {
  name: 'cluster-api',
  featureGates: Object.entries(featureGateDefaults).map(([name, open]) => ({
    name,
    default: open,
    stage: stageOf(name, open),
  })),
  controllers: [
    clusterController,
    machineController,
    ...machineControllers,
    clusterResourceSetController,
    clusterResourceSetBindingController,
    ...ipamControllers,
    crdMigrator({ name: 'crdmigrator', kinds: clusterApiKinds }),
    ...topologyControllers,
  ],
};

/** What is on by default is Beta, what is off is Alpha, as it is upstream. */
function stageOf(name: string, open: boolean): 'Alpha' | 'Beta' | 'GA' {
  if (generallyAvailable.has(name)) return 'GA';
  return open ? 'Beta' : 'Alpha';
}
