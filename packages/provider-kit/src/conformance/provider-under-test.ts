import { type Cluster, clusters, type Machine, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ChangeFeed, Client, ObjectKey, Resource } from '@slipway/runtime';
import type { InfrastructureCluster, InfrastructureMachine } from '../contract.js';

/** The management plane that a provider is tested on: it runs the real Cluster API controllers and those of the provider. */
export interface ConformancePlane {
  readonly client: Client;
  readonly changes: ChangeFeed;
  /** Resolves with the object once `check` holds. */
  until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T>) => boolean,
  ): Promise<Frozen<T>>;
  untilGone(resource: Resource, key: ObjectKey): Promise<void>;
  /** Runs all due reconciles. */
  settle(): Promise<void>;
  /** Stops the controllers as a crash would and starts new ones on the same data and infrastructure. */
  restartControllers(): Promise<void>;
  stop(): Promise<void>;
}

/** Describes a provider to the suite. */
export interface ProviderUnderTest {
  /** Starts a plane with empty infrastructure. */
  start(): Promise<ConformancePlane>;
  readonly clusterResource: Resource;
  readonly machineResource: Resource;
  /**
   * The spec of an infrastructure cluster that can be provisioned without further objects. `machineSpec` is the same for a
   * machine.
   */
  readonly clusterSpec?: Readonly<Record<string, unknown>>;
  readonly machineSpec?: Readonly<Record<string, unknown>>;
  /** Creates objects that the provider needs before a cluster is created, such as credentials or a registered Node. */
  readonly prepare?: (plane: ConformancePlane) => Promise<void>;
  /** Returns the names of machines outside the API server, such as VMs or processes. Each must belong to a Machine. */
  readonly externalMachines: () => Promise<readonly string[]> | readonly string[];
}

const namespace = 'default';
export const clusterName = 'conformance';
const coreVersion = 'cluster.x-k8s.io/v1beta2';

export function keyFor(name: string): ObjectKey {
  return { namespace, name };
}

export async function createCluster({ client }: ConformancePlane, provider: ProviderUnderTest): Promise<void> {
  const { clusterResource } = provider;
  const cluster: Cluster = {
    apiVersion: coreVersion,
    kind: 'Cluster',
    metadata: { namespace, name: clusterName },
    spec: {
      clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
      infrastructureRef: { apiGroup: clusterResource.group, kind: clusterResource.kind, name: clusterName },
    },
  };
  await client.create(clusters, cluster);
}

export async function createInfraCluster({ client }: ConformancePlane, provider: ProviderUnderTest): Promise<void> {
  await client.create(provider.clusterResource, objectOf(provider.clusterResource, clusterName, provider.clusterSpec));
}

/** Creates a control plane Machine. Its bootstrap data exists unless `hasData` is false. */
export async function createMachine(
  { client }: ConformancePlane,
  provider: ProviderUnderTest,
  name: string,
  { hasData = true }: { readonly hasData?: boolean } = {},
): Promise<void> {
  const { machineResource } = provider;
  const labels = { 'cluster.x-k8s.io/cluster-name': clusterName, 'cluster.x-k8s.io/control-plane': '' };
  if (hasData) await client.create(secretResource, bootstrapSecret(name));
  await client.create(machineResource, objectOf(machineResource, name, provider.machineSpec, labels));
  const machine: Machine = {
    apiVersion: coreVersion,
    kind: 'Machine',
    metadata: { namespace, name, labels },
    spec: {
      clusterName,
      version: 'v1.34.0',
      bootstrap: hasData ? { dataSecretName: `${name}-data` } : { configRef: { ...absentConfig, name } },
      infrastructureRef: { apiGroup: machineResource.group, kind: machineResource.kind, name },
    },
  };
  await client.create(machines, machine);
}

/** A bootstrap configuration that never becomes ready. */
const absentConfig = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig' };
const secretResource: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

function bootstrapSecret(name: string): KubeObject {
  const value = Buffer.from('#cloud-config\n').toString('base64');
  const metadata = { namespace, name: `${name}-data` };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'cluster.x-k8s.io/secret', data: { value } };
}

function objectOf(
  { group, version, kind }: Resource,
  name: string,
  spec: Readonly<Record<string, unknown>> | undefined,
  labels: Record<string, string> = { 'cluster.x-k8s.io/cluster-name': clusterName },
): KubeObject {
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { namespace, name, labels },
    ...(spec === undefined ? {} : { spec: structuredClone(spec) }),
  };
}

export function isClusterProvisioned(object: Frozen<KubeObject>): boolean {
  return (object as Frozen<InfrastructureCluster>).status?.initialization?.provisioned === true;
}

export function isMachineProvisioned(object: Frozen<KubeObject>): boolean {
  const { spec, status } = object as Frozen<InfrastructureMachine>;
  return spec?.providerID !== undefined && status?.initialization?.provisioned === true;
}
