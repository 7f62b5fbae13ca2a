import { asJson, cloneJson, deepEqual, type KubeObject } from '@slipway/kube';
import type { MutationRound } from '../contract/index.js';

/** Who has to see the object again in the second round, because it changed after they had seen it. */
export class RoundMemory {
  readonly #callable = new Set<string>();
  readonly #recalled = new Set<string>();
  #seen: unknown;

  /** Was called and wants to be called again if need be. */
  mayRecall(id: string): void {
    this.#callable.add(id);
  }

  /** The object changed: those called until now have to see it again. */
  recallAll(): void {
    for (const id of this.#callable) this.#recalled.add(id);
    this.#callable.clear();
  }

  isRecalled(id: string): boolean {
    return this.#recalled.has(id);
  }

  remember(object: KubeObject | undefined): void {
    // Only somebody who may be called again makes the copy worth while.
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
