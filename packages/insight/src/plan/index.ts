export { applyObjects, type ApplyObjectsOptions, checkServed, deleteObjects, ManifestError } from './apply-objects.js';
export { machineEvent, type GroupReference, type MachineEvent } from './machine-event.js';
export { readManifest, scopeOf } from './manifest.js';
export type { ObjectOutcome } from './object-outcome.js';
export {
  forbiddenBy,
  machineOutcomes,
  type MachineFate,
  type MachineOutcome,
  type Plan,
  planOf,
  type PlanStep,
} from './plan.js';
export { planManifest, type PlanManifestOptions, planOnState, readForPlan } from './plan-manifest.js';
export { readState, type StateScope } from './read-state.js';
export type { SettleLimits } from './settle.js';
export type { ManagementState, PlacedObject } from './state.js';
export { type Unsettled, unsettledOf } from './unsettled.js';
export { topologyGate, whatIf, type WhatIf, type WhatIfOptions } from './what-if.js';
