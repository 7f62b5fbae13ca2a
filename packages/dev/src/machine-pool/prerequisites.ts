import { reasons } from '@slipway/cluster-api';
import { devReasons } from '../api/index.js';
import type { PoolScope } from './reconcile.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

/** What a pool waits for before it makes machines. */
export function whatIsMissing({ devPool, pool, cluster }: PoolScope): Missing | undefined {
  if (devPool.spec?.backend?.docker !== undefined)
    return {
      reason: devReasons.backendNotSupported,
      message:
        'the docker backend is not part of Slipway: leave spec.backend out to have machines in memory, or use another infrastructure provider',
    };
  if (cluster.status?.initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'the infrastructure of the Cluster is not provisioned yet',
    };
  if (pool.spec.template.spec.bootstrap.dataSecretName === undefined)
    return {
      reason: reasons.waitingForBootstrapData,
      message: 'the bootstrap data of the MachinePool is not there yet',
    };
  return undefined;
}
