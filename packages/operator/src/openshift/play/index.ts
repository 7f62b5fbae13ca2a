export { standInKinds } from './platform-kinds.js';
export { type SeedObject, seedObjects, type SeedOptions } from './seed.js';
export { standInAssets } from './stand-in-assets.js';
export { standInNetworkService } from './stand-in-networks.js';
export { createStandInProvider, type StandInOptions } from './stand-in-provider.js';
