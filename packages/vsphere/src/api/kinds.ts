import type { Kind } from '@slipway/kube';
import * as supervisor from './supervisor/index.js';
import * as vcenter from './vcenter/index.js';

/** The kinds of vCenter mode. */
export const vcenterKinds: readonly Kind[] = [
  vcenter.haproxyLoadBalancer,
  vcenter.vsphereCluster,
  vcenter.vsphereClusterIdentity,
  vcenter.vsphereClusterTemplate,
  vcenter.vsphereDeploymentZone,
  vcenter.vsphereFailureDomain,
  vcenter.vsphereMachine,
  vcenter.vsphereMachineTemplate,
  vcenter.vsphereVm,
];

/** The kinds of Supervisor mode. */
export const supervisorKinds: readonly Kind[] = [
  supervisor.providerServiceAccount,
  supervisor.supervisorCluster,
  supervisor.supervisorClusterTemplate,
  supervisor.supervisorMachine,
  supervisor.supervisorMachineTemplate,
];

/** Every kind of this package that users write. */
export const vsphereKinds: readonly Kind[] = [...vcenterKinds, ...supervisorKinds];
