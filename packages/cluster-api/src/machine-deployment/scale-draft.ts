import type { ScaleReason, ScaleStep } from './rollout-plan.js';
import type { SetCounts } from './set-counts.js';

/** The scaling of one pass while it is being planned: each set has at most one step. */
export class ScaleDraft {
  readonly #steps = new Map<string, ScaleStep>();

  /** What the set will be asked for. */
  wantedOf(set: SetCounts): number {
    return this.#steps.get(set.name)?.to ?? set.wanted;
  }

  scale(set: SetCounts, to: number, reason: ScaleReason, message: string): void {
    const earlier = this.#steps.get(set.name);
    // The first cause of a step is the one worth telling; later ones only lengthen it.
    this.#steps.set(set.name, {
      from: set.wanted,
      to,
      reason: earlier?.reason ?? reason,
      message: earlier?.message ?? message,
    });
  }

  stepOf(name: string): ScaleStep | undefined {
    return this.#steps.get(name);
  }

  get isEmpty(): boolean {
    return this.#steps.size === 0;
  }
}
