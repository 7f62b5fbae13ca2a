export { compatibleContracts, currentContract } from './contract.js';
export { type ReleaseMetadata, type ReleaseSeries, seriesOf } from './metadata.js';
export { openRegistry, openRepository, type RepositoryWorld } from './open-repository.js';
export type { ProviderRepository } from './provider-repository.js';
