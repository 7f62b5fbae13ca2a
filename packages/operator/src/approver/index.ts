export type { ApproverMachine } from './approver-machine.js';
export { type ApproverOptions, createApprover } from './controller.js';
export { type ApprovalFacts, decide } from './decide.js';
export { nodeBootstrapper, signers } from './names.js';
export type { MachineApi } from './observe.js';
export type { Verdict } from './verdict.js';
