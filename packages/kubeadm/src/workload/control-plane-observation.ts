import type { Frozen } from '@slipway/kube';
import type { Node, Pod } from '@slipway/runtime';
import type { EtcdState } from '../etcd/index.js';

/** A static Pod: there, absent, or not to be seen. */
export type PodObservation = { readonly pod: Frozen<Pod> } | { readonly absent: true } | { readonly failure: string };

/** Etcd as it answered, or at which question it did not. */
export type EtcdObservation =
  | { readonly state: EtcdState }
  | { readonly failed: 'connect' | 'members' | 'alarms'; readonly message: string };

/** What was seen of a control plane in its own cluster. */
export interface ControlPlaneObservation {
  /** Why Nodes could not be listed; nothing else was looked at then. */
  readonly nodesFailure?: string;
  /** All Nodes with the control plane label, and those of Machines that lack it; by name. */
  readonly nodes: ReadonlyMap<string, Frozen<Node>>;
  /** Names of the Nodes that have the label. */
  readonly labelledNodes: readonly string[];
  /** By name of the Pod; only for Machines whose Node can be trusted to report. */
  readonly pods: ReadonlyMap<string, PodObservation>;
  /** Absent with an external etcd, and while no Machine has a Node. */
  readonly etcd?: EtcdObservation;
}
