import { labels, secretTypes } from '@slipway/cluster-api';
import { type Frozen, stringifyYaml } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import { certificateFiles, type CertificateSet } from '../certificates/index.js';
import { renderCloudConfig } from './cloud-config/cloud-config.js';
import { discoveryFile } from './discovery.js';
import { renderIgnition } from './ignition/render-ignition.js';
import {
  clusterDocument,
  clusterFacts,
  initDocument,
  joinDocument,
  withUninitializedTaint,
} from './kubeadm-documents/index.js';
import { kubeadmApiVersionOf } from './kubernetes-version.js';
import { resolveFiles, resolveUsers, type SecretsByName } from './resolve-sources.js';
import {
  type BootFile,
  BootstrapDataError,
  type BootstrapFormat,
  type BootstrapRole,
  type ClusterView,
  type JoinConfiguration,
  type KubeadmConfigSpecView,
  type MachineSetup,
} from './types.js';

export interface BootstrapDataInput {
  readonly role: BootstrapRole;
  /** The KubeadmConfig. `planDiscovery` must have completed its join configuration. */
  readonly config: Pick<Frozen<KubeadmConfig>, 'metadata' | 'spec'>;
  readonly cluster: ClusterView;
  /** The Kubernetes version of the Machine. Its kubeadm reads the documents. */
  readonly kubernetesVersion: string;
  /** The version of the control plane object, for files whose content is a template. */
  readonly controlPlaneVersion?: string;
  /** Certificates of control plane machines. Undefined for workers. */
  readonly certificates?: CertificateSet;
  readonly secrets?: SecretsByName;
}

export interface BootstrapData {
  readonly format: BootstrapFormat;
  readonly value: string;
  /** Warnings about the additional Ignition configuration. */
  readonly warnings: readonly string[];
}

/** Returns the bootstrap data of a machine. It contains private keys and tokens, so it is stored in a Secret and never logged. */
export function createBootstrapData(input: BootstrapDataInput): BootstrapData {
  const spec: KubeadmConfigSpecView = input.config.spec ?? {};
  const setup = machineSetup(input, spec);
  if (spec.format === 'ignition') return { format: 'ignition', ...renderIgnition(setup, spec.ignition) };
  return { format: 'cloud-config', value: renderCloudConfig(setup), warnings: [] };
}

function machineSetup(input: BootstrapDataInput, spec: KubeadmConfigSpecView): MachineSetup {
  const documents = documentsOf(input, spec);
  const secrets = input.secrets ?? new Map();
  const userFiles = prefixed('Failed to prepare spec.files', () =>
    resolveFiles(spec, secrets, input.controlPlaneVersion),
  );
  const kubeconfig = input.role === 'init' ? undefined : discoveryFile(spec.joinConfiguration ?? {});
  return {
    role: input.role,
    files: [...certificateFilesOf(input), ...userFiles, ...(kubeconfig === undefined ? [] : [kubeconfig])],
    documents,
    bootCommands: spec.bootCommands ?? [],
    preKubeadmCommands: spec.preKubeadmCommands ?? [],
    postKubeadmCommands: spec.postKubeadmCommands ?? [],
    users: prefixed('Failed to read password from secrets for spec.users', () => resolveUsers(spec, secrets)),
    mounts: spec.mounts ?? [],
    ...(spec.ntp === undefined ? {} : { ntp: spec.ntp }),
    ...(spec.diskSetup === undefined ? {} : { diskSetup: spec.diskSetup }),
    ...(spec.verbosity === undefined ? {} : { verbosity: spec.verbosity }),
  };
}

/** Prefixes an error with the part of the spec that could not be resolved. Conditions show the message unchanged. */
function prefixed<T>(prefix: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (cause) {
    if (!(cause instanceof BootstrapDataError)) throw cause;
    throw new BootstrapDataError(cause.reason, `${prefix}: ${cause.message}`, { cause });
  }
}

function certificateFilesOf(input: BootstrapDataInput): BootFile[] {
  if (input.role === 'worker-join') return [];
  if (input.certificates === undefined)
    throw new BootstrapDataError('CertificateMissing', 'a control plane machine needs the certificates of its cluster');
  return certificateFiles(input.certificates);
}

function documentsOf(input: BootstrapDataInput, spec: KubeadmConfigSpecView): string[] {
  const version = kubeadmApiVersionOf(input.kubernetesVersion);
  if (input.role === 'init') {
    const facts = clusterFacts(input.cluster, input.kubernetesVersion);
    const init = spec.initConfiguration ?? {};
    return [
      stringifyYaml(clusterDocument(version, spec.clusterConfiguration ?? {}, facts, init)),
      stringifyYaml(initDocument(version, init)),
    ];
  }
  return [stringifyYaml(joinDocument(version, joinConfigurationOf(input.role, spec)))];
}

function joinConfigurationOf(role: BootstrapRole, spec: KubeadmConfigSpecView): JoinConfiguration {
  const join = spec.joinConfiguration ?? {};
  if (role === 'control-plane-join') return { ...join, controlPlane: join.controlPlane ?? {} };
  if (join.controlPlane !== undefined)
    throw new BootstrapDataError(
      'ControlPlaneOnWorker',
      'Machine is a Worker, but JoinConfiguration.ControlPlane is set in the KubeadmConfig object',
    );
  return withUninitializedTaint(join);
}

/** Returns the Secret that infrastructure providers read. It has the name of its KubeadmConfig, which owns it. */
export function bootstrapDataSecret(
  config: Pick<Frozen<KubeadmConfig>, 'metadata'>,
  clusterName: string,
  data: Pick<BootstrapData, 'format' | 'value'>,
): Secret {
  const { name = '', namespace = '', uid = '' } = config.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: { [labels.clusterName]: clusterName },
      ownerReferences: [
        { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', name, uid, controller: true },
      ],
    },
    type: secretTypes.cluster,
    data: {
      value: Buffer.from(data.value).toString('base64'),
      format: Buffer.from(data.format).toString('base64'),
    },
  };
}
