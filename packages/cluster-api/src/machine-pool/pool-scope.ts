import type { Frozen, Thawed } from '@slipway/kube';
import { edit, type Index, type Node, type ReconcileContext } from '@slipway/runtime';
import type { MachinePool } from '../api/index.js';
import { type ProviderState, referenceIndex, textAt } from '../contract/index.js';
import type { IntentCache } from '../intents/index.js';
import type { ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ClusterCache, V1beta1Target } from '../toolkit/index.js';

export type ObservedPool = Frozen<MachinePool>;

/** Dependencies of all reconciles of the controller. */
export interface PoolDependencies {
  readonly workloads: ClusterCache;
  readonly intents: IntentCache;
}

/** The state of one reconcile of a MachinePool. */
export interface PoolScope {
  readonly context: ReconcileContext;
  readonly dependencies: PoolDependencies;
  /** Undefined if the Cluster does not exist. */
  readonly cluster: ObservedCluster | undefined;
  readonly nowMs: number;
  /** The pool with the changes of this reconcile, written at its end. */
  pool: ObservedPool;
  bootstrap: ProviderState;
  infrastructure: ProviderState;
  machines: readonly ObservedMachine[];
  /** Nodes of the pool in the order of its provider IDs. Undefined while the workload cluster does not respond. */
  nodes: readonly Frozen<Node>[] | undefined;
  /** What the deletion of the pool waits for. */
  blockedBy: string | undefined;
}

type PoolDraft = Thawed<ObservedPool>;

export function changePool(scope: PoolScope, recipe: (draft: PoolDraft) => void): void {
  scope.pool = edit(scope.pool, recipe);
}

export function statusOf(draft: PoolDraft): NonNullable<PoolDraft['status']> {
  draft.status ??= {};
  return draft.status;
}

/** Changes deprecated conditions. The cast is needed because their setters have narrower types than the schema. */
export function changeV1beta1(scope: PoolScope, recipe: (target: V1beta1Target) => void): void {
  changePool(scope, (draft) => recipe(draft as V1beta1Target));
}

/** Returns the kind of the pool's infrastructure machines, if the provider reports one. */
export function machineKindOf({ infrastructure }: PoolScope): string | undefined {
  return infrastructure.type === 'found'
    ? textAt(infrastructure.object, 'status', 'infrastructureMachineKind')
    : undefined;
}

export const poolReferences = referenceIndex<MachinePool>(({ spec }) => [
  spec.template.spec.infrastructureRef,
  spec.template.spec.bootstrap.configRef,
]);

/** Indexes pools by the provider IDs of their machines: `namespace/cluster/providerID`. */
export const providerIdIndex: Index<MachinePool> = {
  name: 'provider IDs',
  valuesOf: ({ metadata, spec }) =>
    (spec.providerIDList ?? []).map((id) => `${metadata.namespace ?? ''}/${spec.clusterName}/${id}`),
};
