export * from './admission/index.js';
export * from './api/index.js';
export { createHostControllers } from './controllers.js';
export type { Engine } from './engine/index.js';
export { LinuxEngine, type LinuxEngineOptions, nodeFilesFolder } from './linux/index.js';
export { PrepareError, prepareNodeFiles } from './node-files/index.js';
