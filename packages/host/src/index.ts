export { hostAdmission } from './admission/index.js';
export { hostKinds, hostMachines } from './api/index.js';
export { createHostControllers } from './controllers.js';
export { LinuxEngine, loadImage, MachineNotRunning, nodeFilesFolder } from './linux/index.js';
export { PrepareError, prepareNodeFiles } from './node-files/index.js';
