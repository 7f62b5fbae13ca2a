import type { Kind } from '@slipway/kube';

/** A map from group and plural to a value. Uses nested maps instead of a joined key, because every write does a lookup. */
export class ByResource<T extends { readonly kind: Kind }> {
  readonly #groups = new Map<string, Map<string, T>>();

  constructor(values: readonly T[]) {
    for (const value of values) {
      const { group, plural } = value.kind;
      const plurals = this.#groups.get(group) ?? new Map<string, T>();
      if (plurals.has(plural)) throw new Error(`${plural}.${group} is declared twice`);
      this.#groups.set(group, plurals.set(plural, value));
    }
  }

  get(resource: { readonly group: string; readonly resource: string }): T | undefined {
    return this.#groups.get(resource.group)?.get(resource.resource);
  }
}
