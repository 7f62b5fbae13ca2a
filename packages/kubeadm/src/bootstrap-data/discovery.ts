import { stringifyYaml } from '@slipway/kube';
import { parseCertificates, publicKeyPin } from '@slipway/pki';
import { endpointOf } from './kubeadm-documents/index.js';
import {
  type BootFile,
  BootstrapDataError,
  type ClusterView,
  type Discovery,
  type JoinConfiguration,
} from './types.js';

export type DiscoveryPlan =
  | {
      readonly kind: 'ready';
      readonly joinConfiguration: JoinConfiguration;
      /** Whether a bootstrap token must be created in the workload cluster and set with `withToken`. */
      readonly needsToken: boolean;
    }
  | { readonly kind: 'wait'; readonly ms: number; readonly message: string };

type FileDiscovery = NonNullable<Discovery['file']>;
type FileKubeconfig = NonNullable<FileDiscovery['kubeConfig']>;

const waitForEndpoint: DiscoveryPlan = {
  kind: 'wait',
  ms: 10_000,
  message: 'Waiting for Cluster Controller to set Cluster.Spec.ControlPlaneEndpoint',
};

/** Returns the discovery of a joining machine, with defaults for all fields that the user did not set. */
export function planDiscovery(join: JoinConfiguration, cluster: ClusterView, caCertificatePem: string): DiscoveryPlan {
  const { discovery = {} } = join;
  return discovery.file === undefined
    ? planTokenDiscovery(join, cluster, caCertificatePem)
    : planFileDiscovery(join, discovery.file, cluster, caCertificatePem);
}

function planTokenDiscovery(join: JoinConfiguration, cluster: ClusterView, caCertificatePem: string): DiscoveryPlan {
  const token = join.discovery?.bootstrapToken ?? {};
  const apiServerEndpoint = token.apiServerEndpoint ?? endpointOf(cluster);
  if (apiServerEndpoint === undefined) return waitForEndpoint;
  const given = token.caCertHashes ?? [];
  const caCertHashes = given.length > 0 ? given : caCertificateHashes(caCertificatePem);
  const bootstrapToken = { ...token, apiServerEndpoint, caCertHashes };
  return {
    kind: 'ready',
    joinConfiguration: { ...join, discovery: { ...join.discovery, bootstrapToken } },
    needsToken: token.token === undefined || token.token === '',
  };
}

function planFileDiscovery(
  join: JoinConfiguration,
  file: FileDiscovery,
  cluster: ClusterView,
  caCertificatePem: string,
): DiscoveryPlan {
  const ready = (kubeConfig: FileKubeconfig | undefined): DiscoveryPlan => ({
    kind: 'ready',
    joinConfiguration:
      kubeConfig === undefined ? join : { ...join, discovery: { ...join.discovery, file: { ...file, kubeConfig } } },
    needsToken: false,
  });
  if (file.kubeConfig === undefined) return ready(undefined);
  const endpoint = endpointOf(cluster);
  const { server = endpoint === undefined ? undefined : `https://${endpoint}` } = file.kubeConfig.cluster ?? {};
  if (server === undefined) return waitForEndpoint;
  const certificateAuthorityData =
    file.kubeConfig.cluster?.certificateAuthorityData ?? Buffer.from(caCertificatePem).toString('base64');
  return ready({ ...file.kubeConfig, cluster: { ...file.kubeConfig.cluster, server, certificateAuthorityData } });
}

export function withToken(join: JoinConfiguration, token: string): JoinConfiguration {
  const bootstrapToken = { ...join.discovery?.bootstrapToken, token };
  return { ...join, discovery: { ...join.discovery, bootstrapToken } };
}

/** Hashes by CA bundle. All machines of a cluster share it, and parsing certificates is the largest cost of bootstrap data. */
const cachedHashes = new Map<string, readonly string[]>();
const cachedHashesMax = 1_000;

/** Returns `sha256:…` of the public key of each certificate in a bundle. `kubeadm join` compares these hashes. */
export function caCertificateHashes(pem: string): string[] {
  let hashes = cachedHashes.get(pem);
  if (hashes === undefined) {
    hashes = readHashes(pem);
    if (cachedHashes.size >= cachedHashesMax) cachedHashes.clear();
    cachedHashes.set(pem, hashes);
  }
  return [...hashes];
}

function readHashes(pem: string): string[] {
  let hashes: string[] = [];
  try {
    hashes = parseCertificates(pem).map(publicKeyPin);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new BootstrapDataError('CertificateMissing', `unable to parse ca certificate: ${why}`, { cause });
  }
  if (hashes.length === 0)
    throw new BootstrapDataError(
      'CertificateMissing',
      'unable to parse ca certificate: it does not contain a PEM-encoded certificate',
    );
  return hashes;
}

/** Returns the file with the kubeconfig of `discovery.file.kubeConfig`, which kubeadm reads. */
export function discoveryFile(join: JoinConfiguration): BootFile | undefined {
  const file = join.discovery?.file;
  if (file?.kubeConfig === undefined) return undefined;
  return {
    path: file.kubeConfigPath,
    owner: 'root:root',
    permissions: '0640',
    content: stringifyYaml(kubeconfigOf(file.kubeConfig)),
  };
}

function kubeconfigOf(kubeConfig: FileKubeconfig): object {
  const cluster = kubeConfig.cluster ?? {};
  const name = 'default';
  return {
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [
      {
        name,
        cluster: {
          server: cluster.server ?? '',
          ...(cluster.certificateAuthorityData === undefined
            ? {}
            : { 'certificate-authority-data': cluster.certificateAuthorityData }),
          ...(cluster.tlsServerName === undefined ? {} : { 'tls-server-name': cluster.tlsServerName }),
          ...(cluster.insecureSkipTLSVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
          ...(cluster.proxyURL === undefined ? {} : { 'proxy-url': cluster.proxyURL }),
        },
      },
    ],
    users: [{ name, user: userOf(kubeConfig.user) }],
  };
}

function userOf(user: FileKubeconfig['user']): object {
  const { authProvider, exec } = user;
  return {
    ...(authProvider === undefined
      ? {}
      : { 'auth-provider': { name: authProvider.name, config: authProvider.config ?? null } }),
    ...(exec === undefined
      ? {}
      : {
          exec: {
            command: exec.command,
            args: exec.args ?? null,
            env: exec.env?.map(({ name, value }) => ({ name, value })) ?? null,
            apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
            provideClusterInfo: exec.provideClusterInfo ?? false,
            // No user can answer a prompt on a booting machine.
            interactiveMode: 'Never',
          },
        }),
  };
}
