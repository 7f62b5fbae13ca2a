export { ignitionConfig } from './ignition.js';
export { blankDisc, noCloudDisc } from './no-cloud.js';
export type { SeedDisk, SeedFacts, SeedInterface, SeedShare } from './seed-facts.js';
