import type { Disposable } from '@slipway/base';
import {
  type Controller,
  type ControllerContext,
  type ControllerDescriptor,
  type ControllerSet,
  mapToOwner,
  type ObjectKey,
  watch,
} from '@slipway/runtime';
import {
  vsphereMachines,
  vsphereVms,
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereFailureDomains,
} from '../api/index.js';
import { vsphereFeatureGates } from '../feature-gates.js';
import { createVSphereMachineController } from '../machine/index.js';
import { whenInstalled } from '../modes/when-installed.js';
import { type Credentials, SessionPool, type SessionSummary } from '../vim25/index.js';
import { credentialsFileSetting, CredentialsWatch, readCredentialsFile } from './credentials/index.js';
import { createVSphereClusterController } from './cluster/controller.js';
import { createLoadBalancerController } from './load-balancer/controller.js';
import { createZoneController } from './deployment-zone/controller.js';
import { createIdentityController } from './identity/controller.js';
import { vcenterVmService } from './machine/vcenter-vm-service.js';
import { createVSphereVmController } from './vm/controller.js';
import type { VCenterWorld } from './world.js';

export interface VCenterOptions {
  /** Instead of those in the file of `--credentials-file`: the manager's own, for clusters that name none. */
  readonly managerCredentials?: () => Promise<Credentials | undefined>;
  /** Where the Secrets of VSphereClusterIdentities are. */
  readonly controllerNamespace?: string;
  /** Where an address of a guest is reached from here, if not there. */
  readonly reachGuest?: (address: string) => string;
}

/** vCenter mode in one process: its controllers, and the sessions that they share. */
export interface VCenter extends Disposable {
  readonly controllers: ControllerSet;
  /** Those that are open now. */
  sessions(): readonly SessionSummary[];
  /** Logs out everywhere. */
  dispose(): Promise<void>;
}

export function createVCenter(options: VCenterOptions = {}): VCenter {
  const { controllerNamespace = 'capv-system', reachGuest = (address: string) => address } = options;
  let shared: Pick<VCenterWorld, 'sessions' | 'credentials'> | undefined;
  const worldOf = (context: ControllerContext): VCenterWorld => {
    const { clock, logger, featureGates, settings } = context;
    shared ??= { sessions: new SessionPool({ clock, logger }), credentials: new CredentialsWatch(context) };
    const fromFile = (): Promise<Credentials | undefined> => readCredentialsFile(settings.get(credentialsFileSetting));
    return {
      ...shared,
      managerCredentials: options.managerCredentials ?? fromFile,
      controllerNamespace,
      reachGuest,
      nodeAntiAffinity: featureGates.isOpen('NodeAntiAffinity'),
    };
  };
  return {
    controllers: {
      name: 'vsphere-vcenter',
      featureGates: vsphereFeatureGates,
      settings: [credentialsFileSetting],
      controllers: describeControllers(worldOf),
    },
    sessions: () => shared?.sessions.list() ?? [],
    async dispose() {
      await shared?.credentials.dispose();
      await shared?.sessions.dispose();
      shared = undefined;
    },
  };
}

function describeControllers(worldOf: (context: ControllerContext) => VCenterWorld): readonly ControllerDescriptor[] {
  const common = (context: ControllerContext) => {
    const { sources, concurrency, watchFilter } = context;
    return { sources, concurrency, filter: watchFilter, world: worldOf(context) };
  };
  return [
    {
      name: 'vspherecluster',
      concurrencyDefault: 50,
      create: (context) => whenInstalled(createVSphereClusterController(common(context))),
    },
    {
      name: 'vspheremachine',
      concurrencyDefault: 100,
      create: (context) => whenInstalled(createMachineController(context)),
    },
    {
      name: 'vspherevm',
      concurrencyDefault: 100,
      create: (context) =>
        whenInstalled(createVSphereVmController({ ...common(context), workloads: context.workloads })),
    },
    {
      name: 'haproxyloadbalancer',
      concurrencyDefault: 10,
      create: (context) => whenInstalled(createLoadBalancerController(common(context))),
    },
    {
      name: 'vsphereclusteridentity',
      concurrencyDefault: 10,
      create: (context) => whenInstalled(createIdentityController(common(context))),
    },
    {
      name: 'vspheredeploymentzone',
      concurrencyDefault: 10,
      create: (context) => whenInstalled(createZoneController(common(context))),
    },
  ];
}

function createMachineController({ sources, concurrency, watchFilter }: ControllerContext): Controller {
  const none = (): ObjectKey[] => [];
  return createVSphereMachineController({
    name: 'vspheremachine',
    service: vcenterVmService,
    sources,
    concurrency,
    filter: watchFilter,
    watches: [
      { resource: vsphereVms, map: mapToOwner(vsphereMachines) },
      watch(vsphereClusters, { map: none }),
      watch(vsphereDeploymentZones, { map: none }),
      watch(vsphereFailureDomains, { map: none }),
    ],
  });
}
