import type { KVMReason } from '../api/index.js';

/** Which condition of the machine tells of it. */
export type FailedCondition = 'ImageReady' | 'DisksReady' | 'VMProvisioned' | 'BootstrapDataAvailable';

/** Why a machine cannot be made or started, in words that its user can act on. */
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
