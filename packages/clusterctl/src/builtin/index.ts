export {
  builtinConfig,
  builtinProvider,
  type BuiltinProviderParts,
  type TemplateText,
} from './builtin-provider.js';
export { kvmTemplates } from './kvm-templates.js';
export { devClusterTemplate, devTemplates } from './dev-templates.js';
export { clusterApiLevel, providerVersion } from './provider-version.js';
export { providerObjects } from './provider-components.js';
export type { DriverManifests } from './vsphere-drivers.js';
export { vsphereTemplates } from './vsphere-templates.js';
export { namespaceOf, type ProviderDeployment, webhookServiceName } from './provider-deployment.js';
