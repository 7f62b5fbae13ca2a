import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import type { SupervisorCluster } from '../../api/index.js';
import type { SupervisorDependencies } from '../dependencies.js';
import type { NetworkProvider } from '../network/index.js';

/** The state of one reconcile of a cluster. */
export interface ClusterScope {
  readonly context: ReconcileContext;
  readonly dependencies: SupervisorDependencies;
  readonly cluster: ObservedCluster;
  readonly vsphereCluster: Frozen<SupervisorCluster>;
  readonly features: SupervisorDependencies['features'];
  readonly provider: NetworkProvider;
}
