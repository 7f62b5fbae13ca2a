import type { Frozen, Thawed } from '@slipway/kube';
import {
  edit,
  type EventFact,
  type FeatureGates,
  type ObjectKey,
  type ReconcileContext,
  type Watch,
} from '@slipway/runtime';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import type { ProviderState } from '../contract/index.js';
import type { ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ClusterCache, V1beta1Target } from '../toolkit/index.js';
import type { InPlaceUpdates } from './in-place-update.js';
import type { NodeObservation } from './node-conditions.js';

/** Dependencies of all reconciles of the controller. */
export interface MachineDependencies {
  readonly workloads: ClusterCache;
  readonly featureGates: FeatureGates;
  /** How long the last known Node state is kept after the connection to the workload cluster was lost, in milliseconds. */
  readonly remoteConditionsGraceMs: number;
  readonly additionalLabels: readonly RegExp[];
  readonly additionalAnnotations: readonly RegExp[];
  /** Maps a change of a provider object to Machines. */
  readonly mapProviderObject: Watch['map'];
  /** Undefined if the feature gate is disabled. */
  readonly inPlaceUpdates: InPlaceUpdates | undefined;
}

/** The state of one reconcile of a Machine. Phases read it and add to it in order. */
export interface MachineScope {
  readonly context: ReconcileContext;
  readonly dependencies: MachineDependencies;
  /** Undefined if the Cluster does not exist. In that case only deletions continue. */
  readonly cluster: ObservedCluster | undefined;
  readonly clusterKey: ObjectKey;
  readonly machineSet: Frozen<MachineSet> | undefined;
  readonly machineDeployment: Frozen<MachineDeployment> | undefined;
  readonly nowMs: number;
  /** The Machine as it was read. */
  stored: ObservedMachine;
  /** The Machine with the changes of this reconcile. */
  machine: ObservedMachine;
  bootstrap: ProviderState;
  infrastructure: ProviderState;
  node: NodeObservation;
  deleting: { readonly reason: string; readonly message: string };
  /** The state of an in-place update that is in progress. */
  updating?: { readonly reason: string; readonly message: string };
}

type MachineDraft = Thawed<ObservedMachine>;

export function changeMachine(scope: MachineScope, recipe: (draft: MachineDraft) => void): void {
  scope.machine = edit(scope.machine, recipe);
}

/** Returns the status of a draft. Adds an empty one if it is missing. */
export function statusOf(draft: MachineDraft): NonNullable<MachineDraft['status']> {
  draft.status ??= {};
  return draft.status;
}

/** Changes deprecated conditions. The cast is needed because their setters have narrower types than the schema. */
export function changeV1beta1(scope: MachineScope, recipe: (target: V1beta1Target) => void): void {
  changeMachine(scope, (draft) => recipe(draft as V1beta1Target));
}

export function reportDeleting(scope: MachineScope, reason: string, message: string): void {
  scope.deleting = { reason, message };
}

export function recordEvent(scope: MachineScope, fact: EventFact): void {
  scope.context.events.record(scope.stored, fact);
}
