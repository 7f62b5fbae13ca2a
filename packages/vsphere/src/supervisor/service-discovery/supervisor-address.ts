import { type Frozen, type IpFamily, isIp, parseYamlValue, tryParseIp } from '@slipway/kube';
import { configMaps, ifPresent, type ReconcileContext, services } from '@slipway/runtime';

export const loadBalancerService = { namespace: 'kube-system', name: 'kube-apiserver-lb-svc' };
export const clusterInfo = { namespace: 'kube-public', name: 'cluster-info' };

export type SupervisorAddresses =
  | { readonly type: 'known'; readonly addresses: readonly string[] }
  /** Why no address is usable. The object with the address is watched. */
  | { readonly type: 'unknown'; readonly problem: string };

/**
 * Returns the addresses of the Supervisor's API server: those of its load balancer, or else the server in cluster-info. Endpoints
 * require IP addresses, so a DNS name is not usable.
 */
export async function findSupervisorAddresses(
  context: ReconcileContext,
  families: readonly IpFamily[] | undefined,
): Promise<SupervisorAddresses> {
  const { read, signal } = context;
  const service = await ifPresent(read.get(services, loadBalancerService, { signal }));
  const virtual = (service?.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) =>
    ip === undefined || ip === '' ? [] : [ip],
  );
  if (families !== undefined) return inOrder(virtual, families);
  const [first] = virtual;
  if (first !== undefined) return { type: 'known', addresses: [first] };
  const info = await ifPresent(read.get(configMaps, clusterInfo, { signal }));
  return addressFromKubeconfig(info?.data);
}

/**
 * Returns the addresses in the order of the cluster's IP families, the primary first. For dual stack, only the load balancer has
 * addresses of both families.
 */
function inOrder(addresses: readonly string[], families: readonly IpFamily[]): SupervisorAddresses {
  const found = families.flatMap((family) => addresses.find((address) => tryParseIp(address)?.family === family) ?? []);
  if (found.length > 0) return { type: 'known', addresses: found.slice(0, 2) };
  const { namespace, name } = loadBalancerService;
  return {
    type: 'unknown',
    problem: `Service ${namespace}/${name} has no ${families.join(' or ')} address`,
  };
}

export function addressFromKubeconfig(data: Frozen<Record<string, string>> | undefined): SupervisorAddresses {
  const { namespace, name } = clusterInfo;
  const where = `ConfigMap ${namespace}/${name}`;
  const text = data?.['kubeconfig'];
  if (text === undefined) return { type: 'unknown', problem: `${where} has no kubeconfig` };
  const server = serverOf(text);
  if (server === undefined) return { type: 'unknown', problem: `the kubeconfig in ${where} has no server` };
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (isIp(host)) return { type: 'known', addresses: [host] };
  return { type: 'unknown', problem: `the server in ${where} is ${host}, which is not an IP address` };
}

interface ClusterInfo {
  readonly 'current-context'?: string;
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: { readonly server?: string } }[] | null;
  /** Contexts of the kubeconfig. kubeadm writes null for empty lists. */
  readonly contexts?: readonly { readonly name?: string; readonly context?: { readonly cluster?: string } }[] | null;
}

/**
 * Returns the server of a kubeconfig: that of the cluster with an empty name, which kubeadm writes, or else that of the current
 * context.
 */
function serverOf(text: string): URL | undefined {
  try {
    const info = (parseYamlValue(text) ?? {}) as ClusterInfo;
    const clusters = info.clusters ?? [];
    const named = info.contexts?.find(({ name }) => name === info['current-context'])?.context?.cluster;
    const found = clusters.find(({ name = '' }) => name === '') ?? clusters.find(({ name }) => name === named);
    return found?.cluster?.server === undefined ? undefined : new URL(found.cluster.server);
  } catch {
    return undefined;
  }
}
