import { type Disposable, Scope } from '@slipway/base';
import { deepEqual } from '@slipway/kube';
import {
  type ControllerDependencies,
  coreResources,
  follow,
  placeKey,
  type Sighting,
  storageOf,
} from '../shared/index.js';
import { QuotaAccount } from './quota-account.js';

const noAccounts: ReadonlyMap<string, QuotaAccount> = new Map();

/**
 * The accounts of all quotas, updated with every write to the store. Admission and quota status use the same accounts.
 * Namespaces without a quota cost nothing.
 */
export class QuotaLedger implements Disposable {
  readonly #dependencies: Pick<ControllerDependencies, 'registry' | 'store'>;
  readonly #scope = new Scope();
  readonly #namespaces = new Map<string, Map<string, QuotaAccount>>();
  readonly #listeners = new Set<(place: string) => void>();

  constructor(dependencies: Pick<ControllerDependencies, 'registry' | 'store'>) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#scope.add(
      follow(this.#dependencies.store, storageOf(coreResources.resourceQuotas), (seen) => this.#see(seen)),
    );
    // Count again when CRDs are created or deleted, because the countable resources change.
    this.#scope.add(this.#dependencies.registry.onChange(() => this.#recount()));
    this.#scope.defer(() => {
      for (const accounts of this.#namespaces.values()) for (const account of accounts.values()) account.dispose();
    });
  }

  accounts(namespace: string): ReadonlyMap<string, QuotaAccount> {
    return this.#namespaces.get(namespace) ?? noAccounts;
  }

  /** Calls back with `namespace/name` of a quota whenever its account changes. */
  onChange(listener: (place: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  dispose(): Promise<void> {
    return this.#scope.dispose();
  }

  #see({ key, object, previous, gone }: Sighting): void {
    if (!gone && previous !== undefined && deepEqual(previous['spec'], object['spec'])) {
      this.#announce(placeKey(key));
      return;
    }
    const accounts = this.#namespaces.get(key.namespace) ?? new Map<string, QuotaAccount>();
    const before = accounts.get(key.name);
    before?.dispose();
    if (gone) accounts.delete(key.name);
    else accounts.set(key.name, this.#open(object, placeKey(key), before));
    if (accounts.size === 0) this.#namespaces.delete(key.namespace);
    else this.#namespaces.set(key.namespace, accounts);
    this.#announce(placeKey(key));
  }

  #open(quota: QuotaAccount['quota'], place: string, before: QuotaAccount | undefined): QuotaAccount {
    return new QuotaAccount(quota, this.#dependencies, () => this.#announce(place), before);
  }

  #recount(): void {
    for (const [namespace, accounts] of this.#namespaces)
      for (const [name, account] of accounts) {
        const place = placeKey({ namespace, name });
        accounts.set(name, this.#open(account.quota, place, account));
        account.dispose();
        this.#announce(place);
      }
  }

  #announce(place: string): void {
    for (const listener of this.#listeners) listener(place);
  }
}
