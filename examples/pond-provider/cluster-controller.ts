import { defineInfrastructureCluster } from '@slipway/provider-kit';
import { type Controller, type ControllerContext, done } from '@slipway/runtime';
import { pondClusters } from './kinds.js';

/** Endpoint of every control plane. Clusters on the pond are reached at the jetty. */
const jetty = { host: '192.0.2.254', port: 6443 };
const jettyAvailable = 'JettyAvailable';

export function createPondClusterController(context: ControllerContext): Controller {
  return defineInfrastructureCluster(
    {
      name: 'pondcluster',
      resource: pondClusters,
      finalizer: 'pondcluster.infrastructure.cluster.x-k8s.io',
      conditions: { provisioned: jettyAvailable, ready: [jettyAvailable] },
      // The jetty always exists: the controller only reports the endpoint.
      ensure: async () => ({
        endpoint: jetty,
        isProvisioned: true,
        conditions: [{ type: jettyAvailable, status: 'True', reason: 'Available', message: '' }],
        outcome: done(),
      }),
      remove: async () => undefined,
    },
    context,
  );
}
