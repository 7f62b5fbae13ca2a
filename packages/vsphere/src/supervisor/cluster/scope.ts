import { clusters, type ObservedCluster } from '@slipway/cluster-api';
import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { ReconcileContext, Sources } from '@slipway/runtime';
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

/** The Cluster that has taken the VSphereCluster over. */
export function ownerCluster(sources: Sources, vsphereCluster: Frozen<SupervisorCluster>): ObservedCluster | undefined {
  const { namespace = '', ownerReferences = [] } = vsphereCluster.metadata;
  const owner = ownerReferences.find(
    ({ kind, apiVersion }) => kind === clusters.kind && parseApiVersion(apiVersion).group === clusters.group,
  );
  return owner === undefined ? undefined : sources.sourceFor(clusters).get({ namespace, name: owner.name });
}
