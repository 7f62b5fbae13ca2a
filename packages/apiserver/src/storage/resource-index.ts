import { compareNamespaces, firstAfter } from './key-order.js';
import { SortedVersions } from './sorted-versions.js';
import type { ListRange, Revision } from '../contract/index.js';
import type { Version } from './version.js';

interface NamespaceIndex {
  readonly versions: SortedVersions;
  /** Cached list, valid until the next change. */
  listed: readonly Version[] | undefined;
}

/** The current objects of one resource. A list is built at most once between two changes and shared by all readers. */
export class ResourceIndex {
  /** Revision of the newest change of any object of this resource. */
  lastChange: Revision = 0;
  readonly #namespaces = new Map<string, NamespaceIndex>();
  readonly #order: string[] = [];
  #listed: readonly Version[] | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): Version | undefined {
    return this.#namespaces.get(namespace)?.versions.get(name);
  }

  set(version: Version): void {
    const index = this.#namespace(version.key.namespace);
    const before = index.versions.size;
    index.versions.set(version);
    this.#size += index.versions.size - before;
    this.#changed(index, version.revision);
  }

  delete(namespace: string, name: string, revision: Revision): void {
    const index = this.#namespaces.get(namespace);
    if (index === undefined || !index.versions.delete(name)) return;
    this.#size -= 1;
    this.#changed(index, revision);
    if (index.versions.size > 0) return;
    this.#namespaces.delete(namespace);
    this.#order.splice(this.#orderIndex(namespace), 1);
  }

  list(range: Omit<ListRange, 'resource'>): readonly Version[] {
    const all = range.namespace === undefined ? this.#listAll() : this.#listNamespace(range.namespace);
    return range.after === undefined ? all : all.slice(firstAfter(all, range.after));
  }

  #listAll(): readonly Version[] {
    if (this.#listed === undefined) {
      const listed: Version[] = [];
      for (const namespace of this.#order) this.#namespaces.get(namespace)?.versions.appendTo(listed);
      this.#listed = listed;
    }
    return this.#listed;
  }

  #listNamespace(namespace: string): readonly Version[] {
    const index = this.#namespaces.get(namespace);
    if (index === undefined) return [];
    if (index.listed === undefined) {
      const listed: Version[] = [];
      index.versions.appendTo(listed);
      index.listed = listed;
    }
    return index.listed;
  }

  #changed(index: NamespaceIndex, revision: Revision): void {
    index.listed = undefined;
    this.#listed = undefined;
    this.lastChange = Math.max(this.lastChange, revision);
  }

  #namespace(namespace: string): NamespaceIndex {
    let index = this.#namespaces.get(namespace);
    if (index === undefined) {
      index = { versions: new SortedVersions(), listed: undefined };
      this.#namespaces.set(namespace, index);
      this.#order.splice(this.#orderIndex(namespace), 0, namespace);
    }
    return index;
  }

  #orderIndex(namespace: string): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareNamespaces(this.#order[middle] as string, namespace) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
