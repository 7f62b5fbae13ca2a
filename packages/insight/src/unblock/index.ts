export { carryOutUnblock, unblockedAnnotation } from './carry-out.js';
export { NotBlocked, planUnblock, type UnblockPlan } from './plan-unblock.js';
