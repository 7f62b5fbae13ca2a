export * from './admission/index.js';
export * from './api/index.js';
export * from './feature-gates.js';
export * from './machine/index.js';
export * from './stand-in/index.js';
export { whenInstalled } from './modes/when-installed.js';
export { createSupervisorControllers, type SupervisorOptions } from './supervisor/controllers.js';
export { createVCenter, type VCenter, type VCenterOptions } from './vcenter/controllers.js';
export * from './vim25/index.js';
