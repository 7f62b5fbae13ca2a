import { buildNode, type FieldSet } from './field-set.js';
import type { PathKey } from './path-key.js';

/** Nodes with more children are rarely built again, and would keep much memory. */
const childrenMax = 1_000;

/**
 * Caches the last node that was built for a schema node. Objects of a kind mostly have the same fields, so that the next object
 * usually gets the cached node: nothing is sorted or allocated, and thousands of managedFields entries share their nodes.
 */
export class NodeMemo {
  #keys: readonly PathKey[] = [];
  #children: readonly FieldSet[] = [];
  #self = false;
  #node: FieldSet | undefined;

  /** Returns the node with these children. `keys` and `children` are parallel. */
  build(keys: readonly PathKey[], children: readonly FieldSet[], self: boolean): FieldSet | undefined {
    if (this.#node !== undefined && this.#matches(keys, children, self)) return this.#node;
    const pairs = keys.map((key, index): [PathKey, FieldSet] => [key, children[index] as FieldSet]);
    const node = buildNode(pairs, self);
    if (keys.length > childrenMax) return node;
    this.#keys = keys;
    this.#children = children;
    this.#self = self;
    this.#node = node === undefined ? undefined : Object.freeze(node);
    return node;
  }

  #matches(keys: readonly PathKey[], children: readonly FieldSet[], self: boolean): boolean {
    if (self !== this.#self || keys.length !== this.#keys.length) return false;
    for (let index = 0; index < keys.length; index += 1) {
      if (children[index] !== this.#children[index] || keys[index] !== this.#keys[index]) return false;
    }
    return true;
  }
}
