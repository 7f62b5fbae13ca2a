import { labelOf } from '@slipway/clusterctl';
import { type LoadedPlugin, pluginError } from '../plugins/index.js';
import { providerList } from './provider-list.js';

/** Throws if a plugin has the name, a kind or a controller of a built-in provider or of another plugin. */
export async function checkClashes(plugins: readonly LoadedPlugin[]): Promise<void> {
  // Loaded on demand, because it declares every CRD.
  const { slipwayKinds } = await import('./kinds.js');
  const builtIn = 'Slipway';
  const providers = new Map<string, string>(providerList.map((provider) => [labelOf(provider), builtIn]));
  const resources = new Map<string, string>();
  const kinds = new Map<string, string>();
  for (const { group, plural, kind } of slipwayKinds) {
    resources.set(`${plural}.${group}`, builtIn);
    kinds.set(`${kind}.${group}`, builtIn);
  }
  for (const { plugin, packageName } of plugins) {
    claim(providers, labelOf(plugin), 'provider', packageName);
    for (const { group, plural, kind } of plugin.kinds) {
      claim(kinds, `${kind}.${group}`, 'kind', packageName);
      claim(resources, `${plural}.${group}`, 'resource', packageName);
    }
  }
}

function claim(owners: Map<string, string>, name: string, what: string, packageName: string): void {
  const owner = owners.get(name);
  if (owner !== undefined)
    throw pluginError(
      packageName,
      `${owner} already defines the ${what} ${name}`,
      `rename the ${what} in the plugin, or remove one of the plugins`,
    );
  owners.set(name, packageName);
}
