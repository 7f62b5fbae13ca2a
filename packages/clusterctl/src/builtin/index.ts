export { builtinConfig, builtinProvider, type TemplateText } from './builtin-provider.js';
export { devClusterTemplate, devTemplates, kvmTemplates, vsphereTemplates } from './cluster-templates.js';
export { clusterApiLevel, providerVersion } from './provider-version.js';
export { providerObjects } from './provider-components.js';
export { namespaceOf, type ProviderDeployment, webhookServiceName } from './provider-deployment.js';
