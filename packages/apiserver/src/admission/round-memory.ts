import { asJson, cloneJson, deepEqual, type KubeObject } from '@slipway/kube';
import type { MutationRound } from '../contract/index.js';

/** Tracks which webhooks or policies to reinvoke because the object changed after they ran. */
export class RoundMemory {
  readonly #callable = new Set<string>();
  readonly #recalled = new Set<string>();
  #seen: unknown;

  /** Records that a webhook or policy with reinvocationPolicy IfNeeded ran. */
  mayRecall(id: string): void {
    this.#callable.add(id);
  }

  /** Marks for reinvocation everything that `mayRecall` recorded, because the object changed afterwards. */
  recallAll(): void {
    for (const id of this.#callable) this.#recalled.add(id);
    this.#callable.clear();
  }

  isRecalled(id: string): boolean {
    return this.#recalled.has(id);
  }

  remember(object: KubeObject | undefined): void {
    // Copy the object only if a webhook or policy may be reinvoked.
    if (this.#callable.size > 0 && object !== undefined) this.#seen = cloneJson(asJson(object));
  }

  changedSince(object: KubeObject | undefined): boolean {
    return this.#seen !== undefined && !deepEqual(this.#seen, object);
  }
}

export function roundMemory(round: MutationRound, plugin: string): RoundMemory {
  const known = round.memory.get(plugin);
  if (known instanceof RoundMemory) return known;
  const memory = new RoundMemory();
  round.memory.set(plugin, memory);
  return memory;
}
