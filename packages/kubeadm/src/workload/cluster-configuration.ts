import { deepEqual, type JsonObject, type MutableJsonObject, parseYamlValue, stringifyYaml } from '@slipway/kube';
import {
  type ClusterConfiguration,
  clusterDocument,
  kubeadmApiVersionOf,
  parseKubernetesVersion,
} from '../bootstrap-data/index.js';
import { WorkloadError } from './workload-error.js';

export interface ClusterConfigurationChange {
  /** Of Kubernetes: also decides in which version of kubeadm's API the document is written. */
  readonly version: string;
  /** What the control plane says; undefined when it says nothing, and everything but the version stays. */
  readonly configuration?: ClusterConfiguration;
}

/** What the control plane decides about. All else stays as it stands in the cluster. */
const ownMembers = ['apiServer', 'controllerManager', 'scheduler', 'etcd'] as const;
const ownOptionalMembers = ['featureGates', 'encryptionAlgorithm', 'certificateValidityPeriod'] as const;

/**
 * The ClusterConfiguration of a running cluster, brought in line with its control plane; undefined when it is so already.
 * Members that nobody here knows are kept.
 */
export function updateClusterConfiguration(text: string, change: ClusterConfigurationChange): string | undefined {
  return editClusterConfiguration(text, change.version, (document, wanted) => {
    if (change.configuration === undefined) return;
    const rendered = wanted(change.configuration);
    for (const name of ownMembers) document[name] = rendered[name];
    for (const name of ownOptionalMembers) document[name] = rendered[name];
    if (rendered['imageRepository'] !== undefined) document['imageRepository'] = rendered['imageRepository'];
  });
}

/** Writes which image of CoreDNS the cluster has, so that kubeadm does not bring back another one. */
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
  // Where the API has a place for it, what somebody set by hand is nobody's to take away.
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
    throw unreadable('is no YAML', error);
  }
  // Simulated clusters have nothing there.
  if (value === null) return {};
  if (!isJsonObject(value)) throw unreadable('is no mapping');
  const { apiVersion = 'kubeadm.k8s.io/v1beta3' } = value;
  if (typeof apiVersion !== 'string' || !/^kubeadm\.k8s\.io\/v1beta[34]$/.test(apiVersion))
    throw unreadable(`has the apiVersion ${JSON.stringify(apiVersion)}, which is not known here`);
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

/** v1beta4 made lists of the arguments, and moved the timeout to the documents of the nodes. */
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
