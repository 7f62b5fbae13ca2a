export { compareProviders, isSameProvider, labelOf, type ProviderConfig } from './provider-config.js';
export { parseProviderReference } from './provider-reference.js';
export {
  compareProviderTypes,
  componentsFiles,
  isProviderType,
  manifestLabel,
  type ProviderType,
  providerTypes,
} from './provider-type.js';
