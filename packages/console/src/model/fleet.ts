/** How many are ready, how many are wanted. */
export type Count = readonly [ready: number, wanted: number];

export type ClusterState = 'available' | 'coming' | 'unavailable' | 'deleting';

/** One cluster in the list of all. */
export interface FleetRow {
  readonly namespace: string;
  readonly name: string;
  /** Of Kubernetes, as it is wanted; '' while unknown. */
  readonly version: string;
  /** What its control plane still runs on the way there; '' once it is there. */
  readonly running: string;
  /** A newer version that its class offers; '' for none. */
  readonly upgrade: string;
  /** The kind of its infrastructure, without the word Cluster. */
  readonly infrastructure: string;
  readonly clusterClass: string;
  readonly controlPlane: Count;
  readonly workers: Count;
  readonly state: ClusterState;
  readonly paused: boolean;
  /** Somebody has to do something: it does not come by itself. */
  readonly blocked: boolean;
  /** Why it is not available: the root cause, or until that is found what its condition says. */
  readonly reason: string;
  readonly message: string;
  /** Milliseconds. */
  readonly createdAt: number;
}

export interface FleetView {
  /** By `namespace/name`. */
  readonly rows: Readonly<Record<string, FleetRow>>;
  /** Root causes are still being looked for: until then conditions stand in for them. */
  readonly isExplaining: boolean;
}
