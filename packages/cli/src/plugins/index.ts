export { type LoadedPlugin, loadedPlugins, setLoadedPlugins } from './loaded-plugins.js';
export { createPluginControllers } from './plugin-controllers.js';
export { pluginError } from './plugin-error.js';
