import { type ControllerContext, secrets, type SharedService } from '@slipway/runtime';
import { labels } from '../../api/index.js';
import { ClusterCache } from './cluster-cache.js';
import { addClusterCacheMetrics } from './cluster-cache-metrics.js';
import { kubeconfigSecrets } from './kubeconfig-source.js';

const clusterCache: SharedService<ClusterCache> = {
  open({ client, informers, clock, random, logger, namespace, connect, remoteLimits }) {
    const kubeconfigs = informers.informer(secrets, {
      stripManagedFields: true,
      // The Secrets that Cluster API creates for a cluster have this label.
      labelSelector: labels.clusterName,
      ...(namespace !== '' && { namespace }),
    });
    const { connectingMax, rateLimit } = remoteLimits;
    const cache = new ClusterCache({
      kubeconfigs: kubeconfigSecrets(kubeconfigs, client),
      clock,
      random,
      logger,
      ...(connectingMax !== undefined && { limits: { connectingMax } }),
      ...(rateLimit && { rateLimit }),
      ...(connect && { connect }),
    });
    return {
      value: cache,
      watched: [secrets],
      measure: (registry) => addClusterCacheMetrics(registry, cache),
      dispose: () => cache.dispose(),
    };
  },
};

/**
 * Returns the cluster cache, which all controllers of a process share. A manager whose controllers never call this function needs
 * no access to Secrets.
 */
export function workloadClusters(context: Pick<ControllerContext, 'shared'>): ClusterCache {
  return context.shared(clusterCache);
}
