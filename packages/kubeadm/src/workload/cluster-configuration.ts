import {
  deepEqual,
  type Frozen,
  isReason,
  type JsonObject,
  type MutableJsonObject,
  parseYamlValue,
  stringifyYaml,
} from '@slipway/kube';
import { type Cause, type ConfigMap, configMaps, ifPresent } from '@slipway/runtime';
import {
  type ClusterConfiguration,
  clusterDocument,
  kubeadmApiVersionOf,
  parseKubernetesVersion,
} from '../bootstrap-data/index.js';
import { type ObservedControlPlane, type UpkeepScope, WorkloadError } from './control-plane-workload.js';
import { systemNamespace } from './static-pod-finding.js';

export interface ClusterConfigurationChange {
  /** The Kubernetes version. It also determines the version of kubeadm's API in which the document is written. */
  readonly version: string;
  /** The ClusterConfiguration of the control plane. If undefined, only the version changes. */
  readonly configuration?: ClusterConfiguration;
}

/** The fields that the control plane manages. All other fields keep their value in the cluster. */
const ownMembers = ['apiServer', 'controllerManager', 'scheduler', 'etcd'] as const;
const ownOptionalMembers = ['featureGates', 'encryptionAlgorithm', 'certificateValidityPeriod'] as const;

/**
 * Updates the ClusterConfiguration of a running cluster to match its control plane. Unknown fields are kept. Undefined if it is
 * up to date.
 */
export function updateClusterConfiguration(text: string, change: ClusterConfigurationChange): string | undefined {
  return editClusterConfiguration(text, change.version, (document, desired) => {
    if (change.configuration === undefined) return;
    const rendered = desired(change.configuration);
    for (const name of ownMembers) document[name] = rendered[name];
    for (const name of ownOptionalMembers) document[name] = rendered[name];
    if (rendered['imageRepository'] !== undefined) document['imageRepository'] = rendered['imageRepository'];
  });
}

/** Records the CoreDNS image of the cluster, so that kubeadm does not replace it. */
export function updateDnsImage(
  text: string,
  version: string,
  dns: NonNullable<ClusterConfiguration['dns']> | undefined,
): string | undefined {
  return editClusterConfiguration(text, version, (document) => {
    const { imageRepository: _repository, imageTag: _tag, ...rest } = memberOf(document, 'dns');
    document['dns'] = { ...rest, ...withoutUndefined({ ...dns }) };
  });
}

type Render = (configuration: ClusterConfiguration) => JsonObject;

function editClusterConfiguration(
  text: string,
  version: string,
  change: (document: Record<string, unknown>, render: Render) => void,
): string | undefined {
  const before = parseDocument(text);
  const apiVersion = kubeadmApiVersionOf(version);
  const document: Record<string, unknown> = converted(before, apiVersion);
  const timeout = memberOf(before, 'apiServer')['timeoutForControlPlane'];
  change(document, (configuration) => clusterDocument(apiVersion, configuration, { clusterName: '' }) as JsonObject);
  document['kubernetesVersion'] = parseKubernetesVersion(version).text;
  // v1beta3 has this field. Keep the value of the user.
  if (apiVersion === 'kubeadm.k8s.io/v1beta3' && timeout !== undefined)
    document['apiServer'] = { ...(document['apiServer'] as JsonObject), timeoutForControlPlane: timeout };
  const after = withoutUndefined(document);
  return deepEqual(after, before) ? undefined : stringifyYaml(after);
}

function parseDocument(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseYamlValue(text);
  } catch (error) {
    throw unreadable('is not valid YAML', error);
  }
  // Simulated clusters have an empty document.
  if (value === null) return {};
  if (!isJsonObject(value)) throw unreadable('is not a mapping');
  const { apiVersion = 'kubeadm.k8s.io/v1beta3' } = value;
  if (typeof apiVersion !== 'string' || !/^kubeadm\.k8s\.io\/v1beta[34]$/.test(apiVersion))
    throw unreadable(`has the unsupported apiVersion ${JSON.stringify(apiVersion)}`);
  return value;
}

function unreadable(why: string, cause?: unknown): WorkloadError {
  return new WorkloadError(
    'KubeadmConfigUnreadable',
    `unable to decode "ClusterConfiguration" in the kubeadm-config ConfigMap: it ${why}`,
    { remedy: 'restore it with kubeadm init phase upload-config kubeadm', cause },
  );
}

type ApiVersion = ReturnType<typeof kubeadmApiVersionOf>;

/**
 * Converts the document. v1beta4 changed arguments to lists, and moved the timeout to InitConfiguration and JoinConfiguration.
 */
function converted(before: JsonObject, apiVersion: ApiVersion): MutableJsonObject {
  const document: MutableJsonObject = { ...(before as MutableJsonObject), apiVersion, kind: 'ClusterConfiguration' };
  if (before['apiVersion'] === apiVersion) return document;
  const isList = apiVersion === 'kubeadm.k8s.io/v1beta4';
  for (const name of ['apiServer', 'controllerManager', 'scheduler'] as const)
    document[name] = convertedComponent(memberOf(before, name), isList);
  const etcd = memberOf(before, 'etcd');
  if (isJsonObject(etcd['local']))
    document['etcd'] = { ...(etcd as MutableJsonObject), local: convertedComponent(etcd['local'], isList) };
  if (isList) return { proxy: {}, ...document };
  for (const name of ['proxy', 'encryptionAlgorithm', 'certificateValidityPeriod', 'caCertificateValidityPeriod'])
    delete document[name];
  return document;
}

function convertedComponent(component: JsonObject, isList: boolean): MutableJsonObject {
  const { extraArgs, timeoutForControlPlane: _timeout, extraEnvs, ...rest } = component as MutableJsonObject;
  const kept: MutableJsonObject = { ...rest, ...(isList && extraEnvs !== undefined ? { extraEnvs } : {}) };
  if (isList && isJsonObject(extraArgs))
    kept['extraArgs'] = Object.entries(extraArgs).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : '',
    }));
  else if (!isList && Array.isArray(extraArgs)) kept['extraArgs'] = argumentMap(extraArgs);
  return kept;
}

function argumentMap(list: readonly unknown[]): MutableJsonObject {
  const map: MutableJsonObject = Object.create(null) as MutableJsonObject;
  for (const item of list) {
    const { name, value } = item as { readonly name?: unknown; readonly value?: unknown };
    if (typeof name === 'string') map[name] = typeof value === 'string' ? value : '';
  }
  return map;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(document: Readonly<Record<string, unknown>>, name: string): JsonObject {
  const value = document[name];
  return isJsonObject(value) ? value : {};
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

const kubeletLocalMode = 'ControlPlaneKubeletLocalMode';

/**
 * Sets the feature gate that makes a kubelet use the API server on its own machine. Between these versions, a kubelet that is
 * newer than the API server behind the load balancer would not start. A value set by the user is kept.
 */
export function withDefaultFeatureGates(configuration: ClusterConfiguration, version: string): ClusterConfiguration {
  const { major, minor } = parseKubernetesVersion(version);
  if (major !== 1 || minor < 31 || minor >= 36) return configuration;
  return { ...configuration, featureGates: { [kubeletLocalMode]: true, ...configuration.featureGates } };
}

const key = { namespace: systemNamespace, name: 'kubeadm-config' } as const;
const member = 'ClusterConfiguration';
const attemptsMax = 5;

export async function hasKubeadmConfigMap({ workload, signal }: Omit<UpkeepScope, 'writer'>): Promise<boolean> {
  return (await ifPresent(workload.read.get(configMaps, key, { signal }))) !== undefined;
}

/** Updates the ConfigMap `kubeadm-config` to the configuration of the control plane. */
export async function updateKubeadmConfig(scope: UpkeepScope, { spec }: ObservedControlPlane): Promise<void> {
  const { version, kubeadmConfigSpec } = spec;
  const specified = kubeadmConfigSpec?.clusterConfiguration;
  const change = {
    version,
    ...(specified === undefined ? {} : { configuration: withDefaultFeatureGates(specified, version) }),
  };
  await updateKubeadmConfigMap(scope, (text) => updateClusterConfiguration(text, change), {
    reason: 'KubeadmConfigOutdated',
    message: `Updated the ClusterConfiguration in ConfigMap kubeadm-config for Kubernetes ${version}`,
  });
}

/** Updates the ConfigMap `kubeadm-config` from its current content. `update` returns undefined if it is up to date. */
export async function updateKubeadmConfigMap(
  { workload, writer, signal }: UpkeepScope,
  update: (text: string) => string | undefined,
  cause: Cause,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await workload.read.get(configMaps, key, { signal });
    const text = update(documentOf(current));
    if (text === undefined) return;
    const patch = { metadata: { resourceVersion: current.metadata.resourceVersion ?? '' }, data: { [member]: text } };
    try {
      const body = { type: 'merge', patch } as const;
      await writer.change({ verb: 'patch', on: workload, resource: configMaps, key, body, ...cause });
      return;
    } catch (error) {
      // kubeadm on a joining machine may update the ConfigMap concurrently. Retry.
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
    }
  }
}

function documentOf(configMap: Frozen<ConfigMap>): string {
  const text = configMap.data?.[member];
  if (text !== undefined) return text;
  throw new WorkloadError(
    'KubeadmConfigUnreadable',
    `unable to find ${JSON.stringify(member)} in the kubeadm-config ConfigMap`,
    { remedy: 'restore it with kubeadm init phase upload-config kubeadm' },
  );
}
