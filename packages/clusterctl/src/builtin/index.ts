export { builtinConfig, builtinProvider, type BuiltinProvider, type BuiltinProviderParts } from './builtin-provider.js';
export { devClusterTemplate, devTemplates } from './dev-templates.js';
export { clusterApiLevel, providerVersion } from './provider-version.js';
