import { resourceOf } from '@slipway/runtime';
import * as supervisor from './supervisor/index.js';
import * as vcenter from './vcenter/index.js';

/** Client resources of the kinds, at their storage version. */
export const haproxyLoadBalancers = resourceOf(vcenter.haproxyLoadBalancer);
export const vsphereClusters = resourceOf(vcenter.vsphereCluster);
export const vsphereClusterIdentities = resourceOf(vcenter.vsphereClusterIdentity);
export const vsphereDeploymentZones = resourceOf(vcenter.vsphereDeploymentZone);
export const vsphereFailureDomains = resourceOf(vcenter.vsphereFailureDomain);
export const vsphereMachines = resourceOf(vcenter.vsphereMachine);
export const vsphereMachineTemplates = resourceOf(vcenter.vsphereMachineTemplate);
export const vsphereVms = resourceOf(vcenter.vsphereVm);

export const providerServiceAccounts = resourceOf(supervisor.providerServiceAccount);
export const supervisorClusters = resourceOf(supervisor.supervisorCluster);
export const supervisorMachines = resourceOf(supervisor.supervisorMachine);
export const supervisorMachineTemplates = resourceOf(supervisor.supervisorMachineTemplate);
