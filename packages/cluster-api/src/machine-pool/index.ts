export { createMachinePoolController } from './controller.js';
export { machineOfPool } from './machine-of-pool.js';
export { type PoolPhase, poolPhase } from './pool-phase.js';
export { type PoolCounters, poolConditions, poolCounters, type PoolStatusInput } from './pool-status.js';
