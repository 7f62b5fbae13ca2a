export { carryOutUnblock, unblockedAnnotation, type UnblockRecord } from './carry-out.js';
export { type Leak, NotBlocked, planUnblock, type UnblockPlan } from './plan-unblock.js';
