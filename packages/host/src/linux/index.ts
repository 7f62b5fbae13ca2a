export { LinuxEngine, nodeFilesFolder } from './linux-engine.js';
export { overlap } from './routes.js';
