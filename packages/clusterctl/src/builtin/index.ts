export {
  builtinConfig,
  builtinProvider,
  type BuiltinProviderParts,
  type TemplateText,
} from './builtin-provider.js';
export {
  devClusterTemplate,
  devTemplates,
  type DriverManifests,
  kvmTemplates,
  vsphereTemplates,
} from './cluster-templates.js';
export { clusterApiLevel, providerVersion } from './provider-version.js';
export { providerObjects } from './provider-components.js';
export { namespaceOf, type ProviderDeployment, webhookServiceName } from './provider-deployment.js';
