import type { Frozen, Thawed } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import {
  edit,
  type EventFact,
  type FeatureGates,
  type ObjectKey,
  type ReconcileContext,
  type Watch,
} from '@slipway/runtime';
import type { ClusterClass } from '../api/index.js';
import type { ProviderState } from '../contract/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ClusterCache, V1beta1Target } from '../toolkit/index.js';
import type { Descendants } from './descendants.js';

/** Dependencies of all reconciles of the controller. */
export interface ClusterDependencies {
  readonly workloads: ClusterCache;
  readonly featureGates: FeatureGates;
  /** How long probes may fail before the connection is reported as lost, in milliseconds. */
  readonly remoteConnectionGraceMs: number;
  /** Source of the keys in kubeconfigs of clusters without a control plane object. */
  readonly keys: KeySource;
  /** Maps a provider object to the Clusters to reconcile. */
  readonly mapProviderObject: Watch['map'];
}

/** The state of one reconcile of a Cluster. */
export interface ClusterScope {
  readonly context: ReconcileContext;
  readonly dependencies: ClusterDependencies;
  readonly key: ObjectKey;
  readonly clusterClass: Frozen<ClusterClass> | undefined;
  readonly descendants: Descendants;
  readonly nowMs: number;
  /** The Cluster as it was read. */
  readonly stored: ObservedCluster;
  /** The Cluster with the changes of this reconcile. */
  cluster: ObservedCluster;
  infrastructure: ProviderState;
  controlPlane: ProviderState;
  deleting: { readonly reason: string; readonly message: string };
}

type ClusterDraft = Thawed<ObservedCluster>;

export function changeCluster(scope: ClusterScope, recipe: (draft: ClusterDraft) => void): void {
  scope.cluster = edit(scope.cluster, recipe);
}

/** Returns the status of a draft. Adds an empty one if it is missing. */
export function statusOf(draft: ClusterDraft): NonNullable<ClusterDraft['status']> {
  draft.status ??= {};
  return draft.status;
}

/** Changes deprecated conditions. The cast is needed because their setters have narrower types than the schema. */
export function changeV1beta1(scope: ClusterScope, recipe: (target: V1beta1Target) => void): void {
  changeCluster(scope, (draft) => recipe(draft as V1beta1Target));
}

export function recordEvent(scope: ClusterScope, fact: EventFact): void {
  scope.context.events.record(scope.stored, fact);
}
