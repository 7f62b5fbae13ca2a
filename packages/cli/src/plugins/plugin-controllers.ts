import type { Disposable } from '@slipway/base';
import type { PluginControllers, PluginDependencies } from '@slipway/provider-kit';
import type { ControllerSet } from '@slipway/runtime';
import { messageOf } from '../errors/index.js';
import { loadedPlugins } from './loaded-plugins.js';
import { pluginError } from './plugin-error.js';

interface AddedControllers extends Disposable {
  readonly sets: readonly ControllerSet[];
}

/** Creates the controllers of the loaded plugins. Throws if one has the name of a built-in controller or of another plugin. */
export function createPluginControllers(
  { clock, random, logger }: PluginDependencies,
  builtIn: readonly ControllerSet[],
): AddedControllers {
  const names = new Set(builtIn.flatMap(namesOf));
  const created = loadedPlugins().map(({ plugin, packageName }) => {
    const { set, dispose } = create(packageName, () => checked(plugin.controllers({ clock, random, logger })));
    // The set has the name of the provider, by which --provider and --controllers select it.
    const named = { ...set, name: plugin.name };
    for (const name of namesOf(named)) {
      if (names.has(name))
        throw pluginError(packageName, `the controller name ${name} is already in use`, 'rename it in the plugin');
      names.add(name);
    }
    return { set: named, dispose: async () => dispose?.() };
  });
  return {
    sets: created.map(({ set }) => set),
    async dispose() {
      for (const { dispose } of created) await dispose();
    },
  };
}

function namesOf({ name, controllers }: ControllerSet): string[] {
  return [name, ...controllers.map((controller) => controller.name).filter((each) => each !== name)];
}

/** Returns what a plugin created, unless it is a plugin in JavaScript that created something else. */
function checked(created: PluginControllers): PluginControllers {
  const { set }: Partial<PluginControllers> = Object(created);
  if (Array.isArray(set?.controllers)) return created;
  throw new Error('its function `controllers` must return { set: { name, controllers: […] } }');
}

function create<T>(packageName: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw pluginError(
      packageName,
      `its controllers could not be created: ${messageOf(error)}`,
      'correct the plugin',
      error,
    );
  }
}
