import type { Frozen, KubeObject, Quantity } from '@slipway/kube';
import { fields } from '../../kinds/shared/fields.js';
import type { Registry, ResourceDefinition, Store, StoreWatch } from '../../contract/index.js';
import { add, amount, type Amounts, amountsOf, nothing, subtract } from './amounts.js';
import { scopeFilter } from './scopes.js';
import { concerns, usageCounter } from './usage.js';

/** One quota and its usage. Usage counts stored objects, and admitted objects that are not stored yet. */
export class QuotaAccount {
  readonly hard: Amounts;
  readonly #matches: (plural: string, object: Frozen<KubeObject>) => boolean;
  readonly #reserved: Map<string, Amounts>;
  readonly #watches: StoreWatch[] = [];
  #stored: Amounts = nothing;

  constructor(
    readonly quota: Frozen<KubeObject>,
    dependencies: { readonly registry: Registry; readonly store: Store },
    private readonly changed: () => void,
    /** The account that this one replaces. The reservations of its pending requests are taken over. */
    before?: QuotaAccount,
  ) {
    this.#reserved = new Map(before === undefined ? [] : before.#reserved);
    this.hard = amountsOf(fields(quota['spec'])['hard']);
    this.#matches = scopeFilter(quota);
    for (const definition of countable(dependencies.registry))
      if ([...this.hard.keys()].some((name) => concerns(definition, name)))
        this.#follow(dependencies.store, definition);
  }

  get name(): string {
    return this.quota.metadata.name ?? '';
  }

  /** Usage by stored objects, as shown in the status. */
  get used(): Amounts {
    return this.#stored;
  }

  /** Usage including reservations of pending requests. */
  get committed(): Amounts {
    return [...this.#reserved.values()].reduce<Amounts>(add, this.#stored);
  }

  /** Whether the quota applies to the object. */
  covers(definition: Pick<ResourceDefinition, 'group' | 'plural'>, object: Frozen<KubeObject>): boolean {
    return this.#matches(definition.group === '' ? definition.plural : '', object);
  }

  /** Returns the usage of an object, for the resources that the quota limits. */
  usageOf(definition: Pick<ResourceDefinition, 'group' | 'plural'>, object: Frozen<KubeObject>): Amounts {
    if (!this.covers(definition, object)) return nothing;
    const usage = usageCounter(definition)(object);
    return new Map([...usage].filter(([name]) => this.hard.has(name)));
  }

  reserve(uid: string, amounts: Amounts): void {
    this.#reserved.set(uid, amounts);
  }

  release(uid: string): void {
    this.#reserved.delete(uid);
  }

  /** Returns the names of the limits that the request would exceed; empty if it fits. */
  exceededBy(requested: Amounts): string[] {
    const { committed } = this;
    return [...requested]
      .filter(([name, { nanos }]) => nanos > 0n && amount(committed, name).nanos + nanos > this.#limit(name).nanos)
      .map(([name]) => name);
  }

  dispose(): void {
    for (const watch of this.#watches) watch.dispose();
  }

  #limit(name: string): Quantity {
    return amount(this.hard, name);
  }

  #follow(store: Store, definition: ResourceDefinition): void {
    const { namespace = '' } = this.quota.metadata;
    const range = { resource: definition.storageResource, namespace };
    for (const { object } of store.list(range)) this.#stored = add(this.#stored, this.usageOf(definition, object));
    const watch = store.watch(range, store.revision, ({ type, current, previous }) => {
      if (previous !== undefined) this.#stored = subtract(this.#stored, this.usageOf(definition, previous.object));
      if (type !== 'DELETED') this.#stored = add(this.#stored, this.usageOf(definition, current.object));
      this.#reserved.delete(current.object.metadata.uid ?? '');
      this.changed();
    });
    this.#watches.push(watch);
  }
}

function countable(registry: Registry): ResourceDefinition[] {
  return registry.definitions().filter(({ namespaced, createOnly }) => namespaced && createOnly === undefined);
}
