export { compatibleContracts, currentContract } from './contract.js';
export { isGitHubToken } from './github-source.js';
export { latestVersion } from './latest-version.js';
export { LocalSource } from './local-source.js';
export { metadataFile, parseMetadata, type ReleaseMetadata, type ReleaseSeries, seriesOf } from './metadata.js';
export type { OciRegistry } from './oci-registry.js';
export { openRegistry, openRepository, type RepositoryWorld } from './open-repository.js';
export type { ProviderRepository } from './provider-repository.js';
export { isRemote } from './repository-url.js';
