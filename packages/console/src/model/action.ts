import type { Ref } from './cluster.js';

/** An action of the user on a cluster. */
export type Action =
  | { readonly action: 'scale'; readonly of: Ref; readonly replicas: number }
  | { readonly action: 'upgrade'; readonly of: Ref; readonly version: string }
  | { readonly action: 'roll-out'; readonly of: Ref }
  | { readonly action: 'pause' | 'resume' | 'delete'; readonly of: Ref };

/** The user's permissions for a cluster, as the API server reports them. */
export interface AccessView {
  /** Whether the user may patch the Cluster, which is required to pause it and to upgrade a topology. */
  readonly change: boolean;
  readonly delete: boolean;
  readonly kubeconfig: boolean;
  /** Whether each scalable object may be patched, by its key. */
  readonly groups: Readonly<Record<string, boolean>>;
}
