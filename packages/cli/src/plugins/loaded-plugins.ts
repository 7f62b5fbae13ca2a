import type { Plugin } from '@slipway/provider-kit';

/** A plugin of this process. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  /** Name and version of its package. */
  readonly packageName: string;
  readonly version: string;
  readonly folder: string;
}

/**
 * Plugins of this process, in the order of `--plugin`. They are as global as the built-in providers: loaded once, before a command
 * reads the list of providers.
 */
let loaded: readonly LoadedPlugin[] = [];

export function loadedPlugins(): readonly LoadedPlugin[] {
  return loaded;
}

export function setLoadedPlugins(plugins: readonly LoadedPlugin[]): void {
  loaded = plugins;
}
