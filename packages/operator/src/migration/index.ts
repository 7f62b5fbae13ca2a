export type { ConversionFacts } from './conversion/provider.js';
export { createMachineMigration } from './migration-set.js';
