import type { Dev } from '@slipway/dev';
import { parseYamlValue, stringifyYaml } from '@slipway/kube';
import { ConnectionError, type ObjectKey, type WorkloadClient } from '@slipway/runtime';

/**
 * The way to a workload cluster of the fork. Whatever its kubeconfig says, it leads to the simulated cluster or nowhere: the
 * real one must never hear of what is only thought through.
 */
export function simulatedConnection(dev: Pick<Dev, 'workloads' | 'connect'>) {
  return (kubeconfig: string, cluster: ObjectKey): WorkloadClient => {
    const workload = dev.workloads.get(cluster);
    const client = workload && dev.connect(atServer(kubeconfig, workload.url), cluster);
    if (client !== undefined) return client;
    const why = workload === undefined ? 'it is not simulated' : 'its kubeconfig has no administrator’s certificate';
    throw new ConnectionError('unreachable', `cannot reach ${cluster.namespace}/${cluster.name}: ${why}`, {
      unsent: true,
    });
  };
}

interface NamedCluster {
  readonly name: string;
  readonly cluster?: { readonly 'certificate-authority-data'?: string };
}

/** People change the address in a kubeconfig, and how to get there; the authority stays that of the cluster. */
function atServer(kubeconfig: string, server: string): string {
  const parsed = parseYamlValue(kubeconfig) as { readonly clusters?: readonly NamedCluster[] } | null;
  const clusters = (parsed?.clusters ?? []).map(({ name, cluster }) => ({
    name,
    cluster: { server, 'certificate-authority-data': cluster?.['certificate-authority-data'] ?? '' },
  }));
  return stringifyYaml({ ...parsed, clusters } as never);
}
