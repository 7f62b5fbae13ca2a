export type { InitLockDecision, InitLockState } from './init-lock.js';
export { initLockHolder, initLockName, initLockRetryMs, planInitLock } from './init-lock.js';
