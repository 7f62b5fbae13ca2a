export * from './conditions.js';
export type { ContainerSpec, DeploymentSpec } from './deployment-spec.js';
export type { ManagerSpec } from './manager-spec.js';
export * from './names.js';
export * from './provider-kinds.js';
export type { PatchSpec, ProviderSpec } from './provider-spec.js';
