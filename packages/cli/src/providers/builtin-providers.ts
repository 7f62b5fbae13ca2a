import { type BuiltinProvider, builtinProvider, labelOf, providerVersion } from '@slipway/clusterctl';
import { slipwayVersion } from '../version.js';
import { type ListedProvider, providerList } from './provider-list.js';

/** The providers that this program brings along, as repositories see them. */
export const builtinProviders: readonly BuiltinProvider[] = providerList.map((provider: ListedProvider) =>
  builtinProvider({
    ...provider,
    version: providerVersion(slipwayVersion),
    components: async () => {
      // Only when somebody wants them: it takes every kind and every controller.
      const { componentsText } = await import('./components-text.js');
      return componentsText(labelOf(provider));
    },
  }),
);
