export { LinuxEngine, nodeFilesFolder } from './linux-engine.js';
export { loadImage, MachineNotRunning } from './load-image.js';
export { overlap } from './routes.js';
