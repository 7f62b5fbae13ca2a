export { type HaproxyLoadBalancer, haproxyLoadBalancer } from './haproxy-load-balancer.js';
export { type VSphereClusterIdentity, vsphereClusterIdentity } from './vsphere-cluster-identity.js';
export { vsphereClusterTemplate } from './vsphere-cluster-template.js';
export { type VSphereCluster, vsphereCluster } from './vsphere-cluster.js';
export { type VSphereDeploymentZone, vsphereDeploymentZone } from './vsphere-deployment-zone.js';
export { type VSphereFailureDomain, vsphereFailureDomain } from './vsphere-failure-domain.js';
export { type VSphereMachineTemplate, vsphereMachineTemplate } from './vsphere-machine-template.js';
export { type VSphereMachine, vsphereMachine } from './vsphere-machine.js';
export { type VSphereVm, vsphereVm } from './vsphere-vm.js';
