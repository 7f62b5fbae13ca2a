import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey } from '../client/index.js';
import type { IndexFunction, InformerView } from './informer.js';

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly byValue: Map<string, Set<Frozen<T>>>;
}

/**
 * The cached objects by namespace and name. Keys are strings that the objects contain anyway, so that the cache costs little more
 * than a map entry per object.
 */
export class ObjectCache<T extends KubeObject> implements InformerView<T> {
  readonly #namespaces = new Map<string, Map<string, Frozen<T>>>();
  readonly #indexes = new Map<string, Index<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: ObjectKey): Frozen<T> | undefined {
    return this.#namespaces.get(key.namespace)?.get(key.name);
  }

  /** Returns the cached object with the same namespace and name. */
  counterpart(object: Frozen<T>): Frozen<T> | undefined {
    return this.#namespaces.get(object.metadata.namespace ?? '')?.get(object.metadata.name ?? '');
  }

  list(namespace?: string): readonly Frozen<T>[] {
    if (namespace !== undefined && namespace !== '') return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    const all: Frozen<T>[] = [];
    for (const objects of this.#namespaces.values()) for (const object of objects.values()) all.push(object);
    return all;
  }

  byIndex(name: string, value: string): readonly Frozen<T>[] {
    const index = this.#indexes.get(name);
    if (index === undefined)
      throw new Error(`unknown index ${name}; known indexes: ${[...this.#indexes.keys()].join(', ')}`);
    return [...(index.byValue.get(value) ?? [])];
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const known = this.#indexes.get(name);
    if (known !== undefined) {
      if (known.valuesOf !== valuesOf) throw new Error(`index ${name} already exists with another function`);
      return;
    }
    const index: Index<T> = { valuesOf, byValue: new Map() };
    this.#indexes.set(name, index);
    for (const object of this.list()) insertInto(index, object);
  }

  set(object: Frozen<T>): void {
    const { namespace = '', name = '' } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const previous = objects.get(name);
    objects.set(name, object);
    if (previous === undefined) this.#size += 1;
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) removeFrom(index, previous);
      insertInto(index, object);
    }
  }

  remove(object: Frozen<T>): void {
    const { namespace = '', name = '' } = object.metadata;
    const objects = this.#namespaces.get(namespace);
    const known = objects?.get(name);
    if (objects === undefined || known === undefined) return;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size -= 1;
    for (const index of this.#indexes.values()) removeFrom(index, known);
  }
}

function insertInto<T extends KubeObject>(index: Index<T>, object: Frozen<T>): void {
  for (const value of index.valuesOf(object)) {
    const listed = index.byValue.get(value);
    if (listed === undefined) index.byValue.set(value, new Set([object]));
    else listed.add(object);
  }
}

function removeFrom<T extends KubeObject>(index: Index<T>, object: Frozen<T>): void {
  for (const value of index.valuesOf(object)) {
    const listed = index.byValue.get(value);
    if (listed === undefined) continue;
    listed.delete(object);
    if (listed.size === 0) index.byValue.delete(value);
  }
}
