import { createHash } from 'node:crypto';
import { asJson, canonicalJson, cloneJson, type JsonValue, type KubeObject } from '@slipway/kube';
import {
  annotations,
  type CloudProviderSpec,
  csiDeployment,
  csiDriverName,
  csiNamespace,
  csiSecretName,
  DriverError,
  labels,
  type StorageProviderSpec,
  systemNamespace,
} from '../api/index.js';
import { uninitializedToleration } from '../manifests/index.js';
import { compareVersions, type MatrixEntry } from '../matrix/index.js';
import { authoritiesFile, authoritiesOf, type ConnectionFacts } from './connection-facts.js';
import { cpiConfig, cpiSecretData, cpiSecretName } from './cpi-config.js';
import { csiConfig } from './csi-config.js';
import { type ImageOptions, setImages } from './images.js';
import { inOrder, parseTemplate, setNamespace } from './template.js';
import { containersOf, moveKubelet, normaliseControlPlane, type Workload, workloadsOf } from './workloads.js';

export interface Template {
  readonly source: string;
  readonly text: string;
}

interface RenderBase {
  readonly entry: MatrixEntry;
  readonly templates: readonly Template[];
  readonly connections: readonly ConnectionFacts[];
  readonly images: ImageOptions;
}

export interface CpiRenderInput extends RenderBase {
  readonly driver: 'cpi';
  readonly spec: CloudProviderSpec;
}

export interface CsiRenderInput extends RenderBase {
  readonly driver: 'csi';
  readonly spec: StorageProviderSpec;
  readonly clusterId?: string | undefined;
  readonly distribution?: string | undefined;
  /** Number of control plane nodes on which pods may run. */
  readonly controlPlanes: number;
}

export interface Rendered {
  /** Objects in apply order. */
  readonly objects: readonly KubeObject[];
  /** Hash of all applied objects. */
  readonly hash: string;
}

/** Renders the desired objects of a driver from templates and the spec. Pure. */
export function renderDriver(input: CpiRenderInput | CsiRenderInput): Rendered {
  const parsed = input.templates.flatMap(({ source, text }) => parseTemplate(text, source));
  const objects = parsed.map((object) => cloneJson(asJson(object)) as unknown as KubeObject);
  const namespace = input.driver === 'cpi' ? systemNamespace : csiNamespaceOf(input.entry);
  const rendered = input.driver === 'cpi' ? renderCpi(objects, input) : renderCsi(objects, input, namespace);
  for (const object of rendered) {
    setNamespace(object, namespace);
    setImages(object, { ...input.images, byRole: { ...input.entry.images, ...input.images.byRole } });
  }
  for (const workload of workloadsOf(rendered)) normaliseControlPlane(workload);
  const hash = hashOf(rendered);
  for (const object of rendered) mark(object, input, hash);
  return { objects: inOrder(rendered), hash };
}

/** Returns the namespace of the storage driver. Before 2.3.0 it is that of the cloud provider. */
export function csiNamespaceOf({ version, namespace }: Pick<MatrixEntry, 'version' | 'namespace'>): string {
  return namespace ?? (compareVersions(version, '2.3.0') >= 0 ? csiNamespace : systemNamespace);
}

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(value as JsonValue))
    .digest('hex')
    .slice(0, 32);
}

function mark(object: KubeObject, { driver, entry }: CpiRenderInput | CsiRenderInput, hash: string): void {
  object.metadata.labels = {
    ...object.metadata.labels,
    [labels.managedBy]: 'vdo',
    [labels.driver]: driver,
    [labels.driverVersion]: entry.version.replace(/[^-._a-zA-Z0-9]/g, '_'),
  };
  object.metadata.annotations = { ...object.metadata.annotations, [annotations.appliedHash]: hash };
}

/** Adds a hash of the configuration to the pod templates: pods read it only at start, and restart when the hash changes. */
function setConfigHash(workloads: readonly Workload[], config: object): void {
  for (const { spec } of workloads) {
    const { template } = spec;
    template.metadata ??= {};
    template.metadata.annotations = { ...template.metadata.annotations, [annotations.configHash]: hashOf(config) };
  }
}

function renderCpi(objects: KubeObject[], { spec, connections, entry }: CpiRenderInput): KubeObject[] {
  const workloads = workloadsOf(objects);
  const [daemonSet] = workloads;
  const configMapName = workloads.flatMap(configMapsOf)[0];
  if (daemonSet === undefined || configMapName === undefined)
    throw new DriverError(
      'TemplateInvalid',
      `the templates of CPI ${entry.version} have no workload that mounts a ConfigMap`,
    );
  const authorities = authoritiesOf(connections);
  const data = {
    'vsphere.conf': cpiConfig(spec, connections, entry.configFormat),
    ...(authorities !== undefined && { [authoritiesFile]: authorities }),
  };
  const secretData = cpiSecretData(connections);
  for (const workload of workloads) {
    const pod = workload.spec.template.spec;
    const others = (pod.tolerations ?? []).filter(({ key }) => key !== uninitializedToleration.key);
    pod.tolerations = [uninitializedToleration, ...others];
  }
  setConfigHash(workloads, { data, secretData });
  // Secrets and ConfigMaps of a release are examples, which would overwrite the real objects.
  const kept = objects.filter(({ kind }) => kind !== 'Secret' && kind !== 'ConfigMap');
  return [
    ...kept,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMapName, namespace: systemNamespace }, data },
    secretOf(systemNamespace, cpiSecretName, secretData),
  ];
}

function configMapsOf({ spec }: Workload): string[] {
  const names = (spec.template.spec.volumes ?? []).map(({ configMap }) => configMap?.name);
  return names.filter((name) => name !== undefined);
}

function secretOf(namespace: string, name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', data };
}

function renderCsi(objects: KubeObject[], input: CsiRenderInput, namespace: string): KubeObject[] {
  const { spec, connections, entry, clusterId, distribution } = input;
  const authorities = authoritiesOf(connections);
  const config = csiConfig({ spec, connections, version: entry.version, clusterId, distribution });
  const data = { 'csi-vsphere.conf': config, ...(authorities !== undefined && { [authoritiesFile]: authorities }) };
  const { components = {} } = spec;
  const kept = objects.filter((object) => isWanted(object, components));
  const workloads = workloadsOf(kept);
  if (workloads.length === 0)
    throw new DriverError('TemplateInvalid', `the templates of CSI ${entry.version} have no workload`);
  for (const workload of workloads) {
    if (workload.metadata.name === csiDeployment) setController(workload, input);
    if (spec.customKubeletPath !== undefined) moveKubelet(workload, spec.customKubeletPath);
  }
  setConfigHash(workloads, data);
  for (const object of kept) setFeatureStates(object, entry.version);
  return [...withNamespace(kept, namespace), secretOf(namespace, csiSecretName, data)];
}

/**
 * Returns whether to install a component. Optional ones are omitted by default: an expired webhook certificate would block all
 * volume changes.
 */
function isWanted(
  { kind, metadata }: KubeObject,
  {
    windows = false,
    validationWebhook = false,
    snapshotController = false,
  }: NonNullable<StorageProviderSpec['components']>,
): boolean {
  const name = metadata.name ?? '';
  if (kind === 'Secret' && name === csiSecretName) return false;
  if (name.includes('windows')) return windows;
  if (/webhook|^validation\.csi/.test(name)) return validationWebhook;
  if (name.startsWith('snapshot-controller')) return snapshotController;
  return true;
}

function withNamespace(objects: readonly KubeObject[], namespace: string): KubeObject[] {
  const own = objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace);
  const made: KubeObject[] =
    own === undefined && namespace !== systemNamespace
      ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]
      : [];
  for (const { metadata } of [...made, ...objects.filter(({ kind }) => kind === 'Namespace')])
    metadata.labels = {
      ...metadata.labels,
      'pod-security.kubernetes.io/enforce': 'privileged',
      'pod-security.kubernetes.io/audit': 'privileged',
      'pod-security.kubernetes.io/warn': 'privileged',
      'security.openshift.io/scc.podSecurityLabelSync': 'false',
    };
  return [...made, ...objects];
}

const replicasDefault = 3;

/**
 * Limits the replicas of the controller to the number of control plane nodes: each replica requires its own, so more would never
 * become available.
 */
function setController(workload: Workload, { spec, controlPlanes }: CsiRenderInput): void {
  workload.spec.replicas = spec.controllerReplicas ?? Math.max(1, Math.min(replicasDefault, controlPlanes));
  if ((spec.topologyCategories ?? []).length === 0) return;
  const provisioner = containersOf(workload).find(({ name }) => name === 'csi-provisioner');
  if (provisioner === undefined) return;
  const args = (provisioner.args ?? []).filter((arg) => !/^--(feature-gates=Topology|strict-topology)/.test(arg));
  provisioner.args = [...args, '--feature-gates=Topology=true', '--strict-topology'];
}

/** Sets the feature state that lets the driver run without a cloud provider. It exists until 3.0. */
function setFeatureStates(object: KubeObject, version: string): void {
  if (object.kind !== 'ConfigMap' || object.metadata.name !== `internal-feature-states.${csiDriverName}`) return;
  const data = { ...(object['data'] as Record<string, string> | undefined) };
  delete data['use-csinode-id'];
  const knows = compareVersions(version, '2.5.0') >= 0 && compareVersions(version, '3.1.0') < 0;
  object['data'] = knows ? { ...data, 'use-csinode-id': 'true' } : data;
}
