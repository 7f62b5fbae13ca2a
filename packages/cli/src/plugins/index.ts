export { loadNamedPlugins, loadRepositoryPlugins, nameAndVersion } from './named-plugins.js';
export { loadedPlugins } from './loaded-plugins.js';
