import type { Frozen, Thawed } from '@slipway/kube';
import {
  type Reader,
  configMaps,
  ifPresent,
  type Namespace,
  namespaces,
  type Node,
  type ReconcileContext,
  type Resource,
  secrets,
} from '@slipway/runtime';
import {
  type CloudProviderSpec,
  clusterIdConfigMap,
  csiSecretName,
  type DriverName,
  type StorageProviderSpec,
  systemNamespace,
  type VsphereCloudConfig,
} from '../api/index.js';
import { targetOf } from './reconcile-connection.js';
import type { MatrixEntry } from '../matrix/index.js';
import {
  chooseClusterId,
  clusterIdIn,
  type ConnectionFacts,
  type CpiRenderInput,
  csiNamespaceOf,
  type CsiRenderInput,
  type Template,
} from '../render/index.js';
import type { Observed } from './observe.js';
import type { OperatorDependencies } from './dependencies.js';

/** Collects the input for rendering a driver. */
export async function renderInput(
  driver: DriverName,
  entry: MatrixEntry,
  templates: readonly Template[],
  observed: Observed,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<CpiRenderInput | CsiRenderInput> {
  const { config } = observed;
  const connections: ConnectionFacts[] = [];
  for (const connection of observed.connections[driver].connections)
    connections.push(await factsOf(context, connection, dependencies.options.namespace));
  const base = { entry, templates, connections, images: dependencies.options.images };
  if (driver === 'cpi') return { ...base, driver, spec: (config.spec?.cloudProvider ?? {}) as CloudProviderSpec };
  const { read, signal } = context;
  return {
    ...base,
    driver,
    spec: (config.spec?.storageProvider ?? {}) as Thawed<StorageProviderSpec>,
    clusterId: await clusterIdOf(read, entry, signal),
    distribution: await distributionOf(read),
    controlPlanes: observed.nodes.filter(isControlPlane).length,
  };
}

async function factsOf(
  { read, signal }: ReconcileContext,
  connection: Frozen<VsphereCloudConfig>,
  namespace: string,
): Promise<ConnectionFacts> {
  const { target } = await targetOf(read, connection, namespace, signal);
  const { server, port, insecure, thumbprint, caBundle, datacenters, username, password } = target;
  return {
    name: connection.metadata.name ?? '',
    server,
    port,
    insecure,
    ...(thumbprint !== undefined && { thumbprint }),
    ...(caBundle !== undefined && { caBundle }),
    datacenters,
    username,
    password,
  };
}

async function clusterIdOf(read: Reader, entry: MatrixEntry, signal: AbortSignal): Promise<string | undefined> {
  const namespace = csiNamespaceOf(entry);
  const secret = await ifPresent(read.get(secrets, { namespace, name: csiSecretName }, { signal }));
  const config = Buffer.from(secret?.data?.['csi-vsphere.conf'] ?? '', 'base64').toString('utf8');
  const system: Frozen<Namespace> = await read.get(namespaces, { namespace: '', name: systemNamespace }, { signal });
  return chooseClusterId({
    version: entry.version,
    inSecret: clusterIdIn(config),
    inConfigMap: await generatedClusterId(read, namespace, signal),
    systemUid: system.metadata.uid ?? '',
  });
}

/** Returns the cluster ID that the driver generated. */
export async function generatedClusterId(
  read: Reader,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const made = await ifPresent(read.get(configMaps, { namespace, name: clusterIdConfigMap }, { signal }));
  return made?.data?.['clusterID'];
}

const clusterVersions: Pick<Resource, 'group' | 'kind'> = { group: 'config.openshift.io', kind: 'ClusterVersion' };

/** Returns the Kubernetes distribution that vCenter shows for volumes, unless the user sets another. */
async function distributionOf(read: Reader): Promise<string> {
  return (await read.resourceFor(clusterVersions)) === undefined ? 'Vanilla' : 'OpenShift';
}

function isControlPlane({ metadata, spec }: Frozen<Node>): boolean {
  const names = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
  return spec?.unschedulable !== true && names.some((name) => Object.hasOwn(metadata.labels ?? {}, name));
}
