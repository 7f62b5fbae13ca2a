import { parseYamlValue, stringifyYaml } from '@slipway/kube';
import { ifPresent, secrets } from '@slipway/runtime';
import type { Guest } from './guest.js';

/**
 * Returns the configuration that `kubeadm init` would upload: the ClusterConfiguration of the bootstrap data, or a minimal one.
 */
export async function clusterConfigurationOf(guest: Guest): Promise<string> {
  const data = await bootstrapData(guest);
  return (data === undefined ? undefined : findConfiguration(data)) ?? leastConfiguration(guest);
}

async function bootstrapData({ context, machine }: Guest): Promise<string | undefined> {
  const name = machine.spec.bootstrap.dataSecretName;
  if (name === undefined || name === '') return undefined;
  // The Secret may already be deleted once the machine has its Node.
  const secret = await ifPresent(context.read.get(secrets, { namespace: machine.metadata.namespace ?? '', name }));
  return secret && Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
}

const marker = 'kind: ClusterConfiguration';

/** Returns the ClusterConfiguration in a cloud-config. Undefined for other bootstrap data, such as Ignition. */
export function findConfiguration(cloudConfig: string): string | undefined {
  if (!cloudConfig.includes(marker)) return undefined;
  let parsed: unknown;
  try {
    parsed = parseYamlValue(cloudConfig);
  } catch {
    return undefined;
  }
  const files = (parsed as { write_files?: unknown } | null)?.write_files;
  if (!Array.isArray(files)) return undefined;
  for (const file of files as { content?: unknown }[]) {
    if (typeof file.content !== 'string' || !file.content.includes(marker)) continue;
    const found = file.content.split(/^---\n/m).find((document) => document.includes(marker));
    if (found !== undefined) return found;
  }
  return undefined;
}

function leastConfiguration({ cluster, version }: Guest): string {
  const { host = '', port = 0 } = cluster.spec.controlPlaneEndpoint ?? {};
  return stringifyYaml({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: cluster.metadata.name ?? '',
    controlPlaneEndpoint: `${host}:${port}`,
    kubernetesVersion: version,
  });
}
