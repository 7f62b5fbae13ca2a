export { standInKinds } from './platform-kinds.js';
export { type SeedObject, seedObjects, type SeedOptions } from './seed.js';
export { standInAssets } from './stand-in-assets.js';
export { createStandInDeployments, unavailableImage } from './stand-in-deployments.js';
export { createStandInMachineApi } from './stand-in-machine-api.js';
export { standInNetworkService } from './stand-in-networks.js';
export { createStandInProvider, type PowerEvent, type StandInOptions } from './stand-in-provider.js';
