import type { Frozen } from '@slipway/kube';
import { isReason } from '@slipway/kube';
import { type Client, type ConfigMap, configMaps } from '@slipway/runtime';
import { systemNamespace } from './static-pods.js';
import type { CallOptions } from './workload-cluster.js';
import { WorkloadError } from './workload-error.js';

const key = { namespace: systemNamespace, name: 'kubeadm-config' } as const;
const member = 'ClusterConfiguration';
const attemptsMax = 5;

export async function hasKubeadmConfigMap(client: Client, { signal }: CallOptions): Promise<boolean> {
  try {
    await client.get(configMaps, key, { signal });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}

/** Changes the document in the ConfigMap, from what stands there now; `change` gives undefined when it may stay. */
export async function updateKubeadmConfigMap(
  client: Client,
  change: (text: string) => string | undefined,
  { signal }: CallOptions,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await client.get(configMaps, key, { signal });
    const text = change(documentOf(current));
    if (text === undefined) return false;
    const patch = { metadata: { resourceVersion: current.metadata.resourceVersion ?? '' }, data: { [member]: text } };
    try {
      await client.patch(configMaps, key, { type: 'merge', patch }, { signal });
      return true;
    } catch (error) {
      // kubeadm on a machine that joins may write it as well.
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
