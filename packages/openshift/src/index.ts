export { clusterWebhook } from './admission/cluster-webhook.js';
export * from './api/index.js';
export type { ApproverMachine } from './approver/approver-machine.js';
export {
  type ApproverFlags,
  type ApproverSettings,
  ApproverSettingsError,
  readApproverSettings,
} from './approver/approver-settings.js';
export { type ApproverOptions, createApprover } from './approver/controller.js';
export { type ApprovalFacts, decide } from './approver/decide.js';
export { nodeBootstrapper, signers } from './approver/names.js';
export type { MachineApi } from './approver/observe.js';
export { type RunApproverOptions, runApprover, type RunningApprover } from './approver/run-approver.js';
export type { Verdict } from './approver/verdict.js';
export type { ReleaseAssets } from './install/providers.js';
export { readReleaseAssets } from './install/read-release-assets.js';
export { createMachineMigration } from './migration/migration-set.js';
export { openShiftAccount } from './names.js';
export { createOpenShiftOperator, type OpenShiftOptions } from './operator.js';
export { alerts, prometheusRuleSpec } from './payload/alerts.js';
export { payloadObjects } from './payload/manifests.js';
export { findPlatform, type Platform, platforms } from './platforms/index.js';
export * from './play/index.js';
