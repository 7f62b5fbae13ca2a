export { hostAdmission } from './admission/index.js';
export { hostKinds } from './api/index.js';
export { createHostControllers } from './controllers.js';
export { LinuxEngine, nodeFilesFolder } from './linux/index.js';
export { PrepareError, prepareNodeFiles } from './node-files/index.js';
