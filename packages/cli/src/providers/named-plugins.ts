import { delimiter } from 'node:path';
import { dataDirectory, findInstance } from '../instance/index.js';
import type { PluginFlags } from '../options/plugin-option.js';
import { type LoadedPlugin, loadedPlugins, setLoadedPlugins } from '../plugins/index.js';

/** Loads the plugins of `--plugin`, or without the flag those of $SLIPWAY_PLUGINS. */
export async function loadNamedPlugins(flags: PluginFlags): Promise<readonly LoadedPlugin[]> {
  return load(namesOf(flags) ?? []);
}

/**
 * Loads the plugins for a command that reads templates and components. Without a flag and without the variable, they are those of
 * the management plane that runs on this host, whose templates a user expects to find.
 */
export async function loadRepositoryPlugins(flags: PluginFlags & { readonly dataDir?: string }): Promise<void> {
  await load(namesOf(flags) ?? (await runningPlugins(flags.dataDir)));
}

export function nameAndVersion({ packageName, version }: LoadedPlugin): string {
  return `${packageName}@${version}`;
}

function namesOf({ plugin }: PluginFlags): readonly string[] | undefined {
  const { SLIPWAY_PLUGINS: variable } = process.env;
  return plugin ?? variable?.split(delimiter).filter((name) => name !== '');
}

async function runningPlugins(dataDir: string | undefined): Promise<readonly string[]> {
  const instance = await findInstance(dataDirectory(dataDir));
  return instance?.run?.plugins ?? [];
}

async function load(names: readonly string[]): Promise<readonly LoadedPlugin[]> {
  if (names.length === 0) return loadedPlugins();
  // Loaded on demand: most commands run without plugins.
  const { loadPlugins } = await import('../plugins/load-plugins.js');
  const { checkClashes } = await import('./plugin-clashes.js');
  const plugins = await loadPlugins(names);
  await checkClashes(plugins);
  setLoadedPlugins(plugins);
  return plugins;
}
