export { standInAssets } from './openshift/assets.js';
export { createStandInDeployments, unavailableImage } from './openshift/deployments.js';
export { createStandInMachineApi } from './openshift/machine-api.js';
export { standInNetworkService } from './openshift/networks.js';
export { standInKinds } from './openshift/platform-kinds.js';
export { platformSamples } from './openshift/platform-samples.js';
export { createStandInProvider, type PowerEvent, type StandInOptions } from './openshift/provider.js';
export { type SeedObject, seedObjects, type SeedOptions } from './openshift/seed.js';
export type { StandInGuests } from './vsphere/guests.js';
export { HaproxyGuest } from './vsphere/haproxy-guest.js';
export { reachStandInGuest, type RunHaproxy } from './vsphere/haproxy-guests.js';
export { createStandInSupervisor, type StandInSupervisorOptions } from './vsphere/supervisor.js';
export { createStandInVCenterGuests } from './vsphere/vcenter-guests.js';
export {
  makeStandInTemplate,
  SimulatorError,
  startVCenterSimulator,
  type VCenterSimulator,
} from './vsphere/vcenter-simulator.js';
