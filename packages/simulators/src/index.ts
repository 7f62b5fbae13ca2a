export { simulatedAssets } from './openshift/assets.js';
export { createSimulatedDeployments, unavailableImage } from './openshift/deployments.js';
export { createSimulatedMachineApi } from './openshift/machine-api.js';
export { simulatedNetworkService } from './openshift/networks.js';
export { simulatedKinds } from './openshift/platform-kinds.js';
export { platformSamples } from './openshift/platform-samples.js';
export { createSimulatedProvider, type PowerEvent, type SimulatedOptions } from './openshift/provider.js';
export { type SeedObject, seedObjects } from './openshift/seed.js';
export { HaproxyGuest } from './vsphere/haproxy-guest.js';
export { reachSimulatedGuest, type RunHaproxy } from './vsphere/haproxy-guests.js';
export { createSimulatedSupervisor } from './vsphere/supervisor.js';
export { createSimulatedVCenterGuests } from './vsphere/vcenter-guests.js';
export {
  makeSimulatedTemplate,
  SimulatorError,
  startVCenterSimulator,
  type VCenterSimulator,
} from './vsphere/vcenter-simulator.js';
