import { clusters, machines } from '@slipway/cluster-api';
import { type KVMCluster, kvmClusters, type KVMMachine, kvmMachines } from '@slipway/kvm';
import { type Client, secrets } from '@slipway/runtime';

const infrastructure = 'infrastructure.cluster.x-k8s.io';
const metaOf = (namespace: string, name: string, cluster: string) => ({
  name,
  namespace,
  labels: { 'cluster.x-k8s.io/cluster-name': cluster },
});

/** Creates a Cluster and its infrastructure, as a user writes them. */
export async function createCluster(
  client: Client,
  namespace: string,
  name: string,
  spec: NonNullable<KVMCluster['spec']>,
): Promise<void> {
  const metadata = metaOf(namespace, name, name);
  await client.create(clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: { infrastructureRef: { apiGroup: infrastructure, kind: 'KVMCluster', name } },
  });
  await client.create(kvmClusters, {
    apiVersion: `${infrastructure}/v1beta2`,
    kind: 'KVMCluster',
    metadata,
    spec,
  });
}

interface NewMachine {
  readonly namespace: string;
  readonly cluster: string;
  readonly name: string;
  readonly data: string;
  readonly spec?: NonNullable<KVMMachine['spec']>;
}

/** Creates a Machine with its infrastructure, and the bootstrap data that the bootstrap provider would write. */
export async function createMachine(
  client: Client,
  { namespace, cluster, name, data, spec }: NewMachine,
): Promise<void> {
  const metadata = metaOf(namespace, name, cluster);
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metaOf(namespace, `${name}-data`, cluster),
    data: { value: Buffer.from(data).toString('base64') },
  });
  await client.create(kvmMachines, {
    apiVersion: `${infrastructure}/v1beta2`,
    kind: 'KVMMachine',
    metadata,
    spec: spec ?? {},
  });
  await client.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: {
      clusterName: cluster,
      version: 'v1.36.3',
      bootstrap: { dataSecretName: `${name}-data` },
      infrastructureRef: { apiGroup: infrastructure, kind: 'KVMMachine', name },
    },
  });
}
