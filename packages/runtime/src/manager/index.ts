export type { ManagerOptions, Runnable } from './manager.js';
export { createManager, LeadershipLostError, Manager } from './manager.js';
