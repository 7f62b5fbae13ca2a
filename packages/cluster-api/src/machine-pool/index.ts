export { createMachinePoolController } from './controller.js';
export {
  type PoolCounters,
  poolConditions,
  poolCounters,
  type PoolPhase,
  poolPhase,
  type PoolStatusInput,
} from './pool-status.js';
export { machineOfPool } from './sync-machines.js';
