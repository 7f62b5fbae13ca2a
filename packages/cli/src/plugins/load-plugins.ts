import nodeModule from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sleep, systemClock } from '@slipway/base';
import { isPlugin, type Plugin } from '@slipway/provider-kit';
import { messageOf, systemCode } from '../errors/index.js';
import type { LoadedPlugin } from './loaded-plugins.js';
import { pluginError } from './plugin-error.js';
import { findPluginPackage, type PluginPackage } from './plugin-package.js';
import { resolveLibrary } from './resolve-library.js';

/** The libraries of this program, one file per entry point, for plugins. Absent when the sources run without a bundle. */
const librariesFolder = new URL('./libraries/', import.meta.url);

/** Loads packages by name or directory. Fails before anything starts if one of them cannot be used. */
export async function loadPlugins(names: readonly string[]): Promise<readonly LoadedPlugin[]> {
  // All packages are checked before the code of one runs.
  const packages = names.map((name) => ({ given: name, found: findPluginPackage(name, process.cwd()) }));
  shareLibraries();
  const plugins: LoadedPlugin[] = [];
  for (const { given: name, found } of packages) {
    const plugin = await importPlugin(name, found);
    plugins.push({ plugin, packageName: found.name, version: found.version, folder: found.folder });
  }
  return plugins;
}

let isSharing = false;

/**
 * Resolves imports of `@slipway/*` to the libraries in this program. A plugin with its own copies would have its own classes,
 * caches and metrics: errors would not be recognized, and a ConflictError would not be retried.
 */
function shareLibraries(): void {
  if (isSharing || !existsSync(fileURLToPath(librariesFolder))) return;
  isSharing = true;
  const { registerHooks } = nodeModule as typeof nodeModule & ModuleHooks;
  // Node.js 22.15 and later resolve in this thread; earlier versions start a thread for it.
  if (registerHooks === undefined)
    nodeModule.register('./plugin-hooks.mjs', { parentURL: import.meta.url, data: { folder: librariesFolder.href } });
  else
    registerHooks({
      resolve: (specifier, context, next) =>
        resolveLibrary(specifier, librariesFolder.href) ?? next(specifier, context),
    });
}

interface ModuleHooks {
  readonly registerHooks?: (hooks: {
    resolve(specifier: string, context: unknown, next: (specifier: string, context: unknown) => unknown): unknown;
  }) => void;
}

async function importPlugin(given: string, { entryPoint }: PluginPackage): Promise<Plugin> {
  const module = await importModule(given, entryPoint);
  const { plugin } = module;
  if (plugin === undefined)
    throw pluginError(
      given,
      `${entryPoint} has no export named "plugin"`,
      'add `export const plugin = definePlugin({ … })` to its entry point',
    );
  if (!isPlugin(plugin))
    throw pluginError(
      given,
      `the export "plugin" of ${entryPoint} was not created by definePlugin of this Slipway`,
      'call definePlugin of @slipway/provider-kit, and do not bundle @slipway packages into the plugin',
    );
  return plugin;
}

type Module = Readonly<Record<string, unknown>>;

/** Maximum time to load a plugin, which is far more than a large one needs on a busy host. */
const loadMsMax = 30_000;

async function importModule(given: string, entryPoint: string): Promise<Module> {
  const loading = new AbortController();
  try {
    const timeout = sleep(systemClock, loadMsMax, { signal: loading.signal });
    const module = await Promise.race([import(pathToFileURL(entryPoint).href) as Promise<Module>, timeout]);
    if (module !== undefined) return module;
  } catch (error) {
    throw pluginError(given, `${entryPoint} failed to load: ${messageOf(error)}`, remedyOf(error), error);
  } finally {
    loading.abort();
  }
  throw pluginError(
    given,
    `${entryPoint} did not finish loading in ${loadMsMax / 1000} s`,
    'start work in the controllers of the plugin, not when it is loaded',
  );
}

function remedyOf(error: unknown): string {
  if (systemCode(error) === 'ERR_MODULE_NOT_FOUND') return 'install the dependencies of the plugin with `npm install`';
  if (error instanceof SyntaxError && error.message.includes('does not provide an export named'))
    return 'build the plugin against the libraries of this Slipway version: it imports a name that they do not export';
  return 'correct the plugin; -v shows the stack trace';
}
