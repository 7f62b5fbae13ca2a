import { reasons } from '@slipway/cluster-api';
import { devReasons } from '../api/index.js';
import type { PoolScope } from './reconcile.js';

export interface Missing {
  readonly reason: string;
  readonly message: string;
}

/** Returns the first missing prerequisite for the creation of machines in a pool, or undefined if none is missing. */
export function whatIsMissing({ devPool, pool, cluster }: PoolScope): Missing | undefined {
  if (devPool.spec?.backend?.docker !== undefined)
    return {
      reason: devReasons.backendNotSupported,
      message:
        'the docker backend is not part of Slipway: remove spec.backend to simulate the machines in memory, or use another infrastructure provider',
    };
  if (cluster.status?.initialization?.infrastructureProvisioned !== true)
    return {
      reason: reasons.waitingForClusterInfrastructureReady,
      message: 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true',
    };
  if (pool.spec.template.spec.bootstrap.dataSecretName === undefined)
    return {
      reason: reasons.waitingForBootstrapData,
      message: 'Waiting for the bootstrap data of the MachinePool',
    };
  return undefined;
}
