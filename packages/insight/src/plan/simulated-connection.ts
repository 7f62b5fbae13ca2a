import type { Dev } from '@slipway/dev';
import { parseYamlValue, stringifyYaml } from '@slipway/kube';
import { ConnectionError, type ObjectKey, type RemoteClient } from '@slipway/runtime';

/**
 * Returns a function that connects to the workload clusters of the fork. It ignores the server address of the kubeconfig: a
 * simulation must never send requests to the real workload cluster.
 */
export function simulatedConnection(dev: Pick<Dev, 'workloads' | 'connect'>) {
  return (kubeconfig: string, cluster: ObjectKey): RemoteClient => {
    const workload = dev.workloads.get(cluster);
    const client = workload && dev.connect(atServer(kubeconfig, workload.url), cluster);
    if (client !== undefined) return client;
    const why =
      workload === undefined ? 'the cluster is not simulated' : 'the kubeconfig has no admin client certificate';
    throw new ConnectionError('unreachable', `cannot reach ${cluster.namespace}/${cluster.name}: ${why}`, {
      unsent: true,
    });
  };
}

interface NamedCluster {
  readonly name: string;
  readonly cluster?: { readonly 'certificate-authority-data'?: string };
}

/** Returns the kubeconfig with the server address of the simulated cluster. The CA remains, because it identifies the cluster. */
function atServer(kubeconfig: string, server: string): string {
  const parsed = parseYamlValue(kubeconfig) as { readonly clusters?: readonly NamedCluster[] } | null;
  const clusters = (parsed?.clusters ?? []).map(({ name, cluster }) => ({
    name,
    cluster: { server, 'certificate-authority-data': cluster?.['certificate-authority-data'] ?? '' },
  }));
  return stringifyYaml({ ...parsed, clusters } as never);
}
