export type { Backend, Engine, MachineSpec, MachineState, NetworkSpec } from './engine.js';
