import type { Disposable } from '@slipway/base';
import type { Controller, ControllerContext, ControllerDescriptor, ControllerSet } from '@slipway/runtime';
import { vsphereFeatureGates } from '../feature-gates.js';
import { whenInstalled } from '../modes/when-installed.js';
import { type Credentials, SessionPool, type SessionSummary } from '../vim25/index.js';
import { credentialsFileSetting, CredentialsWatch, readCredentialsFile } from './credentials/index.js';
import { createVSphereClusterController } from './cluster/controller.js';
import { createLoadBalancerController } from './load-balancer/controller.js';
import { createZoneController } from './deployment-zone/controller.js';
import { createIdentityController } from './identity/controller.js';
import { createVSphereMachineController } from './machine/controller.js';
import { createVSphereVmController } from './vm/controller.js';
import type { VCenterDependencies } from './dependencies.js';

export interface VCenterOptions {
  /** The manager's credentials, for clusters without an identity. Overrides the file of `--credentials-file`. */
  readonly managerCredentials?: () => Promise<Credentials | undefined>;
  /** Namespace of the Secrets of VSphereClusterIdentities. */
  readonly controllerNamespace?: string;
  /** Maps the address of a guest to the address that this process connects to. By default they are the same. */
  readonly reachGuest?: (address: string) => string;
}

/** The controllers of vCenter mode and the sessions that they share. */
export interface VCenter extends Disposable {
  readonly controllers: ControllerSet;
  /** The open sessions. */
  sessions(): readonly SessionSummary[];
  /** Logs out of all vCenters. */
  dispose(): Promise<void>;
}

export function createVCenter(options: VCenterOptions = {}): VCenter {
  const { controllerNamespace = 'capv-system', reachGuest = (address: string) => address } = options;
  let shared: Pick<VCenterDependencies, 'sessions' | 'credentials'> | undefined;
  const dependenciesOf = (context: ControllerContext): VCenterDependencies => {
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
      controllers: describeControllers(dependenciesOf),
    },
    sessions: () => shared?.sessions.list() ?? [],
    async dispose() {
      await shared?.credentials.dispose();
      await shared?.sessions.dispose();
      shared = undefined;
    },
  };
}

function describeControllers(
  dependenciesOf: (context: ControllerContext) => VCenterDependencies,
): readonly ControllerDescriptor[] {
  const describe = (
    name: string,
    concurrencyDefault: number,
    create: (context: ControllerContext, dependencies: VCenterDependencies) => Controller,
  ): ControllerDescriptor => ({
    name,
    concurrencyDefault,
    create: (context) => whenInstalled(create(context, dependenciesOf(context))),
  });
  return [
    describe('vspherecluster', 50, createVSphereClusterController),
    describe('vspheremachine', 100, createVSphereMachineController),
    describe('vspherevm', 100, createVSphereVmController),
    describe('haproxyloadbalancer', 10, createLoadBalancerController),
    describe('vsphereclusteridentity', 10, createIdentityController),
    describe('vspheredeploymentzone', 10, createZoneController),
  ];
}
