import type { ControllerContext, ControllerDescriptor, ControllerSet, FeatureGates } from '@slipway/runtime';
import type { VmOperatorVersion } from '../api/index.js';
import {
  type VSphereFeatureGate,
  vsphereFeatureGateDefaults,
  vsphereFeatureGates,
  type VSphereFeatures,
} from '../feature-gates.js';
import { whenInstalled } from '../modes/when-installed.js';
import { createSupervisorClusterController } from './cluster/controller.js';
import { createSupervisorMachineController } from './machine/controller.js';
import { platformResources } from './platform.js';
import type { SupervisorWorld } from './world.js';

export interface SupervisorOptions {
  /** Which network machines are connected to, unless each cluster names its own. */
  readonly networkProvider?: string;
  /** In which version VM Operator is spoken to. */
  readonly vmOperatorVersion?: VmOperatorVersion;
}

/** The controllers of Supervisor mode. They run while its kinds and those of VM Operator are installed. */
export function createSupervisorControllers(options: SupervisorOptions = {}): ControllerSet {
  const { networkProvider = '', vmOperatorVersion = 'v1alpha5' } = options;
  const platform = platformResources(vmOperatorVersion);
  const worldOf = ({ featureGates }: ControllerContext): SupervisorWorld => ({
    platform,
    networkProvider,
    features: featuresOf(featureGates),
  });
  const controllers: readonly ControllerDescriptor[] = [
    {
      name: 'supervisor-vspherecluster',
      concurrencyDefault: 50,
      create: (context) =>
        whenInstalled(
          createSupervisorClusterController({ ...context, filter: context.watchFilter, world: worldOf(context) }),
        ),
    },
    {
      name: 'supervisor-vspheremachine',
      concurrencyDefault: 100,
      create: (context) =>
        whenInstalled(
          createSupervisorMachineController({ ...context, filter: context.watchFilter, world: worldOf(context) }),
        ),
    },
  ];
  return { name: 'vsphere-supervisor', featureGates: vsphereFeatureGates, controllers };
}

function featuresOf(gates: FeatureGates): VSphereFeatures {
  const names = Object.keys(vsphereFeatureGateDefaults) as VSphereFeatureGate[];
  return Object.fromEntries(names.map((name) => [name, gates.isOpen(name)])) as Record<VSphereFeatureGate, boolean>;
}
