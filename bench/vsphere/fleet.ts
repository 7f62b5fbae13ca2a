import { systemClock, systemRandom } from '@slipway/base';
import { clusters, labels, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Client, InformerFactory, ownerReference, type Resource, secrets } from '@slipway/runtime';
import { type VSphereMachine, vsphereClusters, vsphereMachines } from '@slipway/vsphere';
import { account, type Contender, templateName } from './contender.js';

const namespace = 'default';
const group = 'infrastructure.cluster.x-k8s.io';
export const machinesEach = 3;
const writersMax = 8;
const reference = (kind: string, name: string): object => ({ apiGroup: group, kind, name });

interface Fleet {
  readonly clusters: number;
  readonly limitMs: number;
}

/**
 * Creates a fleet. The benchmark does the work of Cluster API, the same for both contenders: it creates the objects and waits for
 * the same states.
 */
export async function launchFleet({ client, server }: Contender, { clusters: count, limitMs }: Fleet): Promise<number> {
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const startedAt = performance.now();
    await each(count, (index) => createCluster(client, server, `fleet-${index}`, signal));
    await informers
      .informer(vsphereMachines)
      .waitFor((view) => view.list().filter(isProvisioned).length === count * machinesEach, { signal });
    return performance.now() - startedAt;
  } finally {
    await informers.dispose();
  }
}

const isProvisioned = ({ status }: Frozen<VSphereMachine>): boolean => status?.initialization?.provisioned === true;

/** Deletes the machines, as Cluster API does when a cluster is deleted. */
export async function removeFleet({ client }: Contender, { clusters: count, limitMs }: Fleet): Promise<number> {
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const startedAt = performance.now();
    await each(count * machinesEach, (index) =>
      client.delete(vsphereMachines, {
        namespace,
        name: `fleet-${Math.floor(index / machinesEach)}-${index % machinesEach}`,
      }),
    );
    await informers.informer(vsphereMachines).waitFor((view) => view.list().length === 0, { signal });
    return performance.now() - startedAt;
  } finally {
    await informers.dispose();
  }
}

async function each(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: writersMax }, work));
}

const create = (client: Client, resource: object, object: object): Promise<Frozen<KubeObject>> =>
  client.create(resource as Resource, object as KubeObject);

async function createCluster(client: Client, server: string, name: string, signal: AbortSignal): Promise<void> {
  await createSecret(client, name, account);
  const cluster = await create(client, clusters, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace },
    spec: { infrastructureRef: reference('VSphereCluster', name) },
  });
  await create(client, vsphereClusters, {
    apiVersion: `${group}/v1beta2`,
    kind: 'VSphereCluster',
    metadata: { name, namespace, labels: { [labels.clusterName]: name }, ownerReferences: [ownerReference(cluster)] },
    spec: { server, identityRef: { kind: 'Secret', name }, controlPlaneEndpoint: { host: '192.0.2.1', port: 6443 } },
  });
  await client.patch(
    clusters,
    { namespace, name },
    { type: 'merge', patch: { status: { initialization: { infrastructureProvisioned: true } } } },
    { subresource: 'status', signal },
  );
  for (let index = 0; index < machinesEach; index += 1) await createMachine(client, name, `${name}-${index}`);
}

async function createMachine(client: Client, cluster: string, name: string): Promise<void> {
  const own = { [labels.clusterName]: cluster };
  await createSecret(client, `${name}-bootstrap`, { value: `#cloud-config\nhostname: ${name}\n` });
  const machine = await create(client, machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace, labels: own },
    spec: {
      clusterName: cluster,
      version: 'v1.35.0',
      bootstrap: { dataSecretName: `${name}-bootstrap` },
      infrastructureRef: reference('VSphereMachine', name),
    },
  });
  await create(client, vsphereMachines, {
    apiVersion: `${group}/v1beta2`,
    kind: 'VSphereMachine',
    metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(machine, { controller: true })] },
    spec: {
      template: templateName,
      datacenter: 'DC0',
      datastore: 'LocalDS_0',
      resourcePool: '/DC0/host/DC0_C0/Resources',
      network: { devices: [{ networkName: 'DC0_DVPG0', dhcp4: true }] },
    },
  });
}

async function createSecret(client: Client, name: string, stringData: object): Promise<void> {
  await create(client, secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData });
}
