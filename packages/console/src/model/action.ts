import type { Ref } from './cluster.js';

/** What a person wants done to a cluster. */
export type Action =
  | { readonly action: 'scale'; readonly of: Ref; readonly replicas: number }
  | { readonly action: 'upgrade'; readonly of: Ref; readonly version: string }
  | { readonly action: 'roll-out'; readonly of: Ref }
  | { readonly action: 'pause' | 'resume' | 'delete'; readonly of: Ref };

/** What this person may do with a cluster, as the management cluster says. */
export interface AccessView {
  /** Of the Cluster itself: pause it, upgrade a topology. */
  readonly change: boolean;
  readonly delete: boolean;
  readonly kubeconfig: boolean;
  /** By the key of what has machines. */
  readonly groups: Readonly<Record<string, boolean>>;
}
