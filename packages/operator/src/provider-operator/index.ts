export { operatorAdmission } from './admission/index.js';
export * from './api/index.js';
export { readMountedConfig } from './configuration/operator-config.js';
export { createOperatorControllers } from './controllers.js';
export { type EmbeddedProvider, EmbeddedProviders } from './embedded/embedded-providers.js';
export { publishEmbedded } from './embedded/publish-embedded.js';
export { manifestConfigMaps } from './manifests/release-manifests.js';
export type { OperatorWorld } from './provider/operator-world.js';
