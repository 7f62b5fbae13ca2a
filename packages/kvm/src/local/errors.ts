import type { KVMReason } from '../api/index.js';

/** Condition of the KVMMachine that reports the problem. */
export type FailedCondition = 'ImageReady' | 'DisksReady' | 'VMProvisioned' | 'BootstrapDataAvailable';

/** A machine cannot be created or started. The message is for users and names the remedy. */
export class MachineProblem extends Error {
  constructor(
    readonly condition: FailedCondition,
    readonly reason: KVMReason,
    message: string,
  ) {
    super(message);
    this.name = 'MachineProblem';
  }
}
