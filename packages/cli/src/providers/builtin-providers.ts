import { type BuiltinProvider, builtinProvider, labelOf } from '@slipway/clusterctl';
import { listedProviders, type VersionedProvider } from './provider-list.js';

/** Returns the built-in providers, and those of the loaded plugins, as clusterctl repositories. */
export function availableProviders(): readonly BuiltinProvider[] {
  return listedProviders().map((provider: VersionedProvider) =>
    builtinProvider({
      ...provider,
      components: async () => {
        // Loaded on demand, because it includes every CRD and every controller.
        const { componentsText } = await import('./components-text.js');
        return componentsText(labelOf(provider));
      },
    }),
  );
}
