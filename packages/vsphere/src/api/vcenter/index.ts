export * from './vsphere-cluster-identity.js';
export * from './vsphere-cluster-template.js';
export * from './vsphere-cluster.js';
export * from './vsphere-deployment-zone.js';
export * from './vsphere-failure-domain.js';
export * from './vsphere-machine-template.js';
export * from './vsphere-machine.js';
export * from './vsphere-vm.js';
