import type { KeySource } from '@slipway/base';
import { type Client, type ObjectKey, type ReconcileContext, secrets, type WorkloadClient } from '@slipway/runtime';
import {
  CertificateError,
  certificateOf,
  controlPlaneCertificates,
  type KeyPair,
  readCertificates,
} from '../certificates/index.js';
import { EtcdClientCredentials } from '../etcd/index.js';
import { createWorkloadCluster, type EtcdTimeouts } from './open-workload-cluster.js';
import type { ObservedControlPlane, WorkloadCluster } from './workload-cluster.js';

export interface WorkloadOpenerOptions extends EtcdTimeouts {
  readonly keys: KeySource;
}

export interface WorkloadToOpen {
  readonly cluster: ObjectKey;
  readonly controlPlane: ObservedControlPlane;
  readonly client: WorkloadClient;
}

export type WorkloadOpener = (
  target: WorkloadToOpen,
  context: Pick<ReconcileContext, 'client' | 'clock' | 'random' | 'logger' | 'signal'>,
) => WorkloadCluster;

/** Opens workload clusters for a controller; client certificates for etcd are made once and kept. */
export function createWorkloadOpener({ keys, ...timeouts }: WorkloadOpenerOptions): WorkloadOpener {
  let credentials: EtcdClientCredentials | undefined;
  return ({ cluster, client }, { client: management, clock, random, logger, signal }) => {
    credentials ??= new EtcdClientCredentials({ clock, random, keys });
    const made = credentials;
    return createWorkloadCluster({
      ...timeouts,
      client,
      clock,
      logger,
      etcdCredentials: async () => made.for(await readEtcdAuthority(management, cluster, signal)),
    });
  };
}

async function readEtcdAuthority(client: Client, cluster: ObjectKey, signal: AbortSignal): Promise<KeyPair> {
  const wanted = controlPlaneCertificates().filter(({ purpose }) => purpose === 'etcd');
  const name = `${cluster.name}-etcd`;
  const secret = await client.get(secrets, { namespace: cluster.namespace, name }, { signal });
  const keyPair = certificateOf(readCertificates(wanted, new Map([[name, secret]]), cluster.name), 'etcd')?.keyPair;
  if (keyPair === undefined)
    throw new CertificateError('Missing', 'etcd', `Secret ${name} has no certificate for etcd`);
  return keyPair;
}
