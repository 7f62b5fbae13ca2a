import { type BuiltinProvider, builtinProvider, labelOf, providerVersion } from '@slipway/clusterctl';
import { slipwayVersion } from '../version.js';
import { type ListedProvider, providerList } from './provider-list.js';

/** The built-in providers as clusterctl repositories. */
export const builtinProviders: readonly BuiltinProvider[] = providerList.map((provider: ListedProvider) =>
  builtinProvider({
    ...provider,
    version: providerVersion(slipwayVersion),
    components: async () => {
      // Loaded on demand, because it includes every CRD and every controller.
      const { componentsText } = await import('./components-text.js');
      return componentsText(labelOf(provider));
    },
  }),
);
