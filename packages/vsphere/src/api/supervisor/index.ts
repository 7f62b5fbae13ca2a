export { type ProviderServiceAccount, providerServiceAccount } from './provider-service-account.js';
export { supervisorClusterTemplate } from './supervisor-cluster-template.js';
export { type SupervisorCluster, supervisorCluster } from './supervisor-cluster.js';
export { type SupervisorMachineTemplate, supervisorMachineTemplate } from './supervisor-machine-template.js';
export { machinePhases, type SupervisorMachine, supervisorMachine } from './supervisor-machine.js';
export { networkProviders } from './cluster-spec.js';
