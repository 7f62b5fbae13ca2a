export { ignitionConfig } from './ignition.js';
export { blankDisc, noCloudDisc, noCloudFiles } from './no-cloud.js';
export type { SeedDisk, SeedFacts, SeedInterface, SeedShare } from './seed-facts.js';
