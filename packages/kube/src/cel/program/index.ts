export type { Binding, Bindings } from './frame.js';
export { CALL_COST_MAX, compileProgram, type Outcome, Program, ProgramError } from './program.js';
export { StructValue } from './struct-value.js';
