/** The numbers of ready and of desired replicas. */
export type Count = readonly [ready: number, wanted: number];

/** The state of a cluster. `blocked`: available, but a user has to act, for example because workers cannot be created. */
export type ClusterState = 'available' | 'blocked' | 'coming' | 'unavailable' | 'deleting';

/** One row of the fleet list. */
export interface FleetRow {
  readonly namespace: string;
  readonly name: string;
  /** The desired Kubernetes version; '' if unknown. */
  readonly version: string;
  /** The version that the control plane still runs during an upgrade; '' otherwise. */
  readonly running: string;
  /** A newer version that the ClusterClass supports; '' for none. */
  readonly upgrade: string;
  /** The infrastructure kind without the suffix Cluster. */
  readonly infrastructure: string;
  readonly clusterClass: string;
  readonly controlPlane: Count;
  readonly workers: Count;
  readonly state: ClusterState;
  readonly paused: boolean;
  /** Whether a user has to act. */
  readonly blocked: boolean;
  /** Why the cluster is not available: the root cause, or the condition message until the root cause is computed. */
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface FleetView {
  /** The clusters, by `namespace/name`. */
  readonly rows: Readonly<Record<string, FleetRow>>;
  /** Whether root causes are still being computed. Conditions are shown until then. */
  readonly isExplaining: boolean;
}
