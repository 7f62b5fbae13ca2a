import { defineInfrastructureCluster } from '@slipway/provider-kit';
import { type Controller, type ControllerContext, done, keyOf } from '@slipway/runtime';
import type { Cloud } from './cloud.js';
import { pondClusters } from './kinds.js';

/** Endpoint of control planes whose software is not simulated. */
const endpointDefault = { host: '192.0.2.254', port: 6443 };
const endpointAvailable = 'EndpointAvailable';

/** Creates the controller of the infrastructure that the machines of a cluster share, such as networks and a load balancer. */
export function createPondClusterController({ guests }: Cloud, context: ControllerContext): Controller {
  return defineInfrastructureCluster(
    {
      name: 'pondcluster',
      resource: pondClusters,
      finalizer: 'pondcluster.infrastructure.cluster.x-k8s.io',
      conditions: { provisioned: endpointAvailable, ready: [endpointAvailable] },
      async ensure({ cluster, infraCluster }) {
        // A real provider creates a load balancer here.
        const { host, port } =
          (await guests?.reserve(keyOf(cluster), infraCluster.spec?.controlPlaneEndpoint ?? {})) ?? {};
        return {
          endpoint: host === undefined || port === undefined ? endpointDefault : { host, port },
          isProvisioned: true,
          conditions: [{ type: endpointAvailable, status: 'True', reason: 'Available', message: '' }],
          outcome: done(),
        };
      },
      async remove({ cluster }) {
        if (cluster !== undefined) await guests?.release(keyOf(cluster));
        return undefined;
      },
    },
    context,
  );
}
