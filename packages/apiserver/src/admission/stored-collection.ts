import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Store, StoreWatch } from '../contract/index.js';

/**
 * Caches a value that is derived from whole collections of the store. Recomputes it on access after one of the collections
 * changed.
 */
export class StoredCollection<T> implements Disposable {
  readonly #build: () => T;
  readonly #watches: readonly StoreWatch[];
  #value: T | undefined;

  constructor(store: Store, resources: readonly string[], build: () => T) {
    this.#build = build;
    this.#watches = resources.map((resource) =>
      store.watch({ resource }, store.revision, () => void (this.#value = undefined)),
    );
  }

  get current(): T {
    this.#value ??= this.#build();
    return this.#value;
  }

  dispose(): void {
    for (const watch of this.#watches) watch.dispose();
  }
}

const compiled = new WeakMap<object, WeakMap<object, unknown>>();

/** Caches the result of `compile` per version of a stored object. */
export function compileOnce<T>(object: Frozen<KubeObject>, compile: (object: Frozen<KubeObject>) => T): T {
  let results = compiled.get(compile);
  if (results === undefined) {
    results = new WeakMap();
    compiled.set(compile, results);
  }
  const cached = results.get(object);
  if (cached !== undefined) return cached as T;
  const result = compile(object);
  results.set(object, result as object);
  return result;
}

/** Lists objects by name: the order in which webhook configurations and policies apply. */
export function inOrderOfName(store: Store, resource: string): readonly Frozen<KubeObject>[] {
  return store
    .list({ resource })
    .map((stored) => stored.object)
    .sort((left, right) => compareTexts(left.metadata.name ?? '', right.metadata.name ?? ''));
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
