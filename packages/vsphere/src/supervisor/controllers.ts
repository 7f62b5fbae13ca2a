import type {
  Controller,
  ControllerContext,
  ControllerDescriptor,
  ControllerSet,
  FeatureGates,
} from '@slipway/runtime';
import type { VmOperatorVersion } from '../api/index.js';
import {
  type VSphereFeatureGate,
  vsphereFeatureGateDefaults,
  vsphereFeatureGates,
  type VSphereFeatures,
} from '../feature-gates.js';
import { whenInstalled } from '../modes/when-installed.js';
import { createSupervisorClusterController } from './cluster/controller.js';
import { createGroupController } from './group/controller.js';
import { createSupervisorMachineController } from './machine/controller.js';
import { createMachineTemplateController } from './machine-template/controller.js';
import { platformResources } from './platform.js';
import { createServiceAccountController } from './service-account/controller.js';
import { createServiceDiscoveryController } from './service-discovery/controller.js';
import { networkProviderSetting, vmOperatorVersionSetting } from './settings.js';
import type { SupervisorDependencies } from './dependencies.js';

export interface SupervisorOptions {
  /** Overrides --network-provider. */
  readonly networkProvider?: string;
  /** Overrides --vm-operator-api-version. */
  readonly vmOperatorVersion?: VmOperatorVersion;
}

/** The controllers of Supervisor mode. They run while its CRDs and those of VM Operator are installed. */
export function createSupervisorControllers(options: SupervisorOptions = {}): ControllerSet {
  const dependenciesOf = ({ featureGates, settings }: ControllerContext): SupervisorDependencies => ({
    platform: platformResources(options.vmOperatorVersion ?? settings.get(vmOperatorVersionSetting)),
    networkProvider: options.networkProvider ?? settings.get(networkProviderSetting),
    features: featuresOf(featureGates),
  });
  const describe = (
    name: string,
    concurrencyDefault: number,
    create: (context: ControllerContext, dependencies: SupervisorDependencies) => Controller,
  ): ControllerDescriptor => ({
    name,
    concurrencyDefault,
    create: (context) => whenInstalled(create(context, dependenciesOf(context))),
  });
  const controllers: readonly ControllerDescriptor[] = [
    describe('supervisor-vspherecluster', 50, createSupervisorClusterController),
    describe('supervisor-vspheremachine', 100, createSupervisorMachineController),
    describe('supervisor-vspheremachinetemplate', 10, createMachineTemplateController),
    {
      ...describe('virtualmachinegroup', 10, createGroupController),
      // This controller also requires NamespaceScopedZones: without it the zones of a namespace are not known.
      featureGate: 'NodeAutoPlacement',
    },
    describe('providerserviceaccount', 10, createServiceAccountController),
    describe('supervisor-servicediscovery', 10, (context, { features }) =>
      createServiceDiscoveryController(context, features),
    ),
  ];
  return {
    name: 'vsphere-supervisor',
    featureGates: vsphereFeatureGates,
    settings: [networkProviderSetting, vmOperatorVersionSetting],
    controllers,
  };
}

function featuresOf(gates: FeatureGates): VSphereFeatures {
  const names = Object.keys(vsphereFeatureGateDefaults) as VSphereFeatureGate[];
  return Object.fromEntries(names.map((name) => [name, gates.isOpen(name)])) as Record<VSphereFeatureGate, boolean>;
}
