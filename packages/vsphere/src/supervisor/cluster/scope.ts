import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import type { SupervisorCluster } from '../../api/index.js';
import type { NetworkProvider } from '../network/index.js';
import type { SupervisorWorld } from '../world.js';

/** All that the phases of one pass share. */
export interface ClusterScope {
  readonly context: ReconcileContext;
  readonly world: SupervisorWorld;
  readonly cluster: ObservedCluster;
  readonly vsphereCluster: Frozen<SupervisorCluster>;
  readonly features: SupervisorWorld['features'];
  readonly provider: NetworkProvider;
}
