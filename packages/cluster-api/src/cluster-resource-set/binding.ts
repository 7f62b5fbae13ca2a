import { formatTime, type Frozen } from '@slipway/kube';
import type { ClusterResourceSet, ClusterResourceSetBinding } from '../api/index.js';

export type ObservedBinding = Frozen<ClusterResourceSetBinding>;
export type BindingEntry = NonNullable<ObservedBinding['spec']['bindings']>[number];
export type ResourceEntry = NonNullable<BindingEntry['resources']>[number];
export type ResourceReference = Frozen<ClusterResourceSet>['spec']['resources'][number];
export type Strategy = 'ApplyOnce' | 'Reconcile';

export function entryOf(binding: ObservedBinding | undefined, setName: string): BindingEntry | undefined {
  return binding?.spec.bindings?.find((entry) => entry.clusterResourceSetName === setName);
}

export function resourceEntryOf(
  entry: BindingEntry | undefined,
  reference: ResourceReference,
): ResourceEntry | undefined {
  return entry?.resources?.find(({ kind, name }) => kind === reference.kind && name === reference.name);
}

/** Returns whether a resource must be applied to a cluster. `known` is its entry in the binding of that cluster. */
export function needsApply(strategy: Strategy, known: ResourceEntry | undefined, hash: string): boolean {
  if (known?.applied !== true) return true;
  return strategy === 'Reconcile' && known.hash !== hash;
}

/** Returns the binding entry with the result of applying one resource. */
export function resourceEntry(
  reference: ResourceReference,
  result: { readonly applied: boolean; readonly hash?: string; readonly nowMs: number },
): ResourceEntry {
  const { applied, hash = '', nowMs } = result;
  return {
    kind: reference.kind,
    name: reference.name,
    applied,
    lastAppliedTime: formatTime(nowMs),
    ...(hash !== '' && { hash }),
  };
}

type Entries = readonly BindingEntry[];

/** Returns the binding entries with the results of one set merged in. */
export function withResults(entries: Entries, setName: string, results: readonly ResourceEntry[]): Entries {
  const current = entries.find((entry) => entry.clusterResourceSetName === setName);
  const isNew = (known: ResourceEntry): boolean =>
    results.some(({ kind, name }) => kind === known.kind && name === known.name);
  const replaced = (current?.resources ?? []).map((known) =>
    isNew(known) ? (results.find(({ kind, name }) => kind === known.kind && name === known.name) ?? known) : known,
  );
  const added = results.filter(
    ({ kind, name }) => current?.resources?.some((known) => known.kind === kind && known.name === name) !== true,
  );
  const next: BindingEntry = { clusterResourceSetName: setName, resources: [...replaced, ...added] };
  return current === undefined ? [...entries, next] : entries.map((entry) => (entry === current ? next : entry));
}

export function withoutSet(entries: Entries, setName: string): Entries {
  return entries.filter((entry) => entry.clusterResourceSetName !== setName);
}
