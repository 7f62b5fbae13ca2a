export type { BuiltinProvider } from './builtin-source.js';
export { compatibleContracts, currentContract } from './contract.js';
export { isGitHubToken } from './github-source.js';
export { latestVersion } from './latest-version.js';
export { LocalSource } from './local-source.js';
export { metadataFile, parseMetadata, type ReleaseMetadata, seriesOf } from './metadata.js';
export { openRegistry, openRepository, type RepositoryDependencies } from './open-repository.js';
export type { ProviderRepository } from './provider-repository.js';
export { isRemote } from './repository-url.js';
