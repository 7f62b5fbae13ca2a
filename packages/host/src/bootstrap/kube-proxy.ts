import { parseYamlDocuments, stringifyYaml } from '@slipway/kube';
import { BootstrapDataError } from './bootstrap-data-error.js';
import type { CloudConfig, SeedFile } from './cloud-config.js';

/** The configuration of `kubeadm init`, as the kubeadm bootstrap provider writes it. */
const initFile = '/run/kubeadm/kubeadm.yaml';
const skippingPhases = ['addon', 'addon/kube-proxy'];

/** Whether this machine initializes a cluster in which kubeadm installs kube-proxy. */
export function installsKubeProxy({ files }: CloudConfig): boolean {
  return files.some(
    (file) => file.path === initFile && !documentsOf(file).some((document) => skipsKubeProxy(document)),
  );
}

/**
 * Adds the settings that kube-proxy needs in a network namespace, unless the bootstrap data has its own. kube-proxy
 * must not set the size of the connection table, because that table belongs to the kernel of the host.
 */
export function withKubeProxyConfiguration(config: CloudConfig): CloudConfig {
  return { ...config, files: config.files.map((file) => (file.path === initFile ? completed(file) : file)) };
}

function completed(file: SeedFile): SeedFile {
  if (documentsOf(file).some(({ kind }) => kind === 'KubeProxyConfiguration')) return file;
  const text = Buffer.from(file.content).toString('utf8');
  return { ...file, content: Buffer.from(`${text.trimEnd()}\n---\n${stringifyYaml(kubeProxyConfiguration)}`) };
}

const kubeProxyConfiguration = {
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  conntrack: { maxPerCore: 0 },
};

type Document = Readonly<Record<string, unknown>>;

function documentsOf({ path, content }: SeedFile): Document[] {
  try {
    return parseYamlDocuments(content).flatMap(({ value }) => (isMapping(value) ? [value] : []));
  } catch {
    throw new BootstrapDataError(`the content of ${path} is not valid YAML`);
  }
}

function skipsKubeProxy({ kind, skipPhases, proxy }: Document): boolean {
  if (kind === 'ClusterConfiguration') return isMapping(proxy) && proxy['disabled'] === true;
  return kind === 'InitConfiguration' && Array.isArray(skipPhases) && skipPhases.some((name) => isSkipping(name));
}

function isSkipping(phase: unknown): boolean {
  return typeof phase === 'string' && skippingPhases.includes(phase);
}

function isMapping(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
