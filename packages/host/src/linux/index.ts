export { LinuxEngine, type LinuxEngineOptions, nodeFilesFolder } from './linux-engine.js';
export { overlap } from './routes.js';
