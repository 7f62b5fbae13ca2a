export type { ApproverMachine } from './approver-machine.js';
export {
  type ApproverFlags,
  type ApproverSettings,
  ApproverSettingsError,
  readApproverSettings,
} from './approver-settings.js';
export { type ApproverOptions, createApprover } from './controller.js';
export { type ApprovalFacts, decide } from './decide.js';
export { nodeBootstrapper, signers } from './names.js';
export type { MachineApi } from './observe.js';
export { type RunApproverOptions, runApprover, type RunningApprover } from './run-approver.js';
export type { Verdict } from './verdict.js';
