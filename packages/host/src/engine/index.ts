export type { Backend, Engine, MachineSpec, MachineState, NetworkSpec, NetworkState } from './engine.js';
