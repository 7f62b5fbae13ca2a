import type { Frozen, KubeObject } from '@slipway/kube';
import { reasons } from '@slipway/cluster-api';
import {
  type Conditioned,
  type ConditionTarget,
  edit,
  type NewCondition,
  reasonByWorst,
  setCondition,
  summaryCondition,
} from '@slipway/runtime';
import { hostConditions } from '../api/index.js';

/** What a pass found out about an object, to be written at its end in one go. */
export class HostReport {
  readonly #found = new Map<string, NewCondition>();

  constructor(
    /** The conditions that make up Ready, in their order. */
    private readonly types: readonly string[],
    private readonly nowMs: number,
  ) {}

  holds(type: string): void {
    this.#found.set(type, { type, status: 'True', reason: reasons.provisioned });
  }

  fails(type: string, reason: string, message: string): void {
    this.#found.set(type, { type, status: 'False', reason, message });
  }

  /** The object with everything that was found out, and the summary of it. */
  applyTo<T extends Frozen<KubeObject>>(object: T): T {
    const after = edit<Frozen<KubeObject>>(object, (draft) => {
      const target = draft as ConditionTarget;
      for (const condition of this.#found.values()) setCondition(target, condition, this.nowMs);
      const options = { types: this.types, strategy: { reasonOf } };
      setCondition(target, summaryCondition(draft as Conditioned, hostConditions.ready, options), this.nowMs);
    });
    return after as T;
  }
}

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);
