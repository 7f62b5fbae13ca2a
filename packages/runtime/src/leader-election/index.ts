export type { Fence } from './fence.js';
export { anySignal, FencedError, openFence } from './fence.js';
export { LeaderElector } from './leader-elector.js';
export type { LeaseTimes } from './lease.js';
export { checkLeaseTimes, leaseTimesDefault } from './lease.js';
export type { LeaseLockOptions } from './lease-lock.js';
export { LeaseLock } from './lease-lock.js';
