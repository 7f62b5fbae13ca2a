import { type Frozen, type KubeObject, textsAt, valueAt } from '@slipway/kube';
import { type Reader, configMaps, ifPresent, type Node, nodes, type Resource } from '@slipway/runtime';
import { type ApproverMachine, readMachine } from './approver-machine.js';
import type { KubeletAddress } from './kubelet-probe.js';
import { kubeletAuthority, type MachineGroup } from './names.js';
import type { EgressAddresses } from './serving-rule.js';

export interface MachineApi {
  readonly group: MachineGroup;
  /** API version of Machines. Defaults to the preferred version of the server. */
  readonly version?: string;
}

/** Lists Machines from the server, so that a node of a new Machine does not wait for a cache. */
export async function listMachines(
  read: Reader,
  apis: readonly MachineApi[],
  namespace: string,
  signal: AbortSignal,
): Promise<readonly ApproverMachine[]> {
  const lists = apis.map(async ({ group, version }) => {
    const resource = await read.resourceFor({ group, kind: 'Machine', ...(version !== undefined && { version }) });
    // A group or version that is not served has no Machines.
    if (resource === undefined) return [];
    const { items } = await read.list(resource, { namespace, signal });
    return items.map((object) => readMachine(group, object));
  });
  return (await Promise.all(lists)).flat();
}

export async function listNodes(read: Reader, signal: AbortSignal): Promise<readonly Frozen<Node>[]> {
  return (await read.list(nodes, { signal })).items;
}

/** Returns the address of a node's kubelet, or undefined until its CA is known. */
export async function findKubelet(
  read: Reader,
  node: Frozen<Node> | undefined,
  signal: AbortSignal,
): Promise<KubeletAddress | undefined> {
  const ip = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const port = kubeletPort(node);
  if (ip === undefined || port === undefined) return undefined;
  const { namespace, name, dataKey } = kubeletAuthority;
  const authority = (await ifPresent(read.get(configMaps, { namespace, name }, { signal })))?.data?.[dataKey] ?? '';
  return authority === '' ? undefined : { ip, port, authority };
}

/** Returns the egress addresses of a node from OpenShiftSDN, or undefined with other networks. */
export async function findEgress(
  read: Reader,
  nodeName: string,
  signal: AbortSignal,
): Promise<EgressAddresses | undefined> {
  const network = await findObject(read, { group: 'config.openshift.io', kind: 'Network' }, 'cluster', signal);
  if (valueAt(network, 'status', 'networkType') !== 'OpenShiftSDN') return undefined;
  const subnet = await findObject(read, { group: 'network.openshift.io', kind: 'HostSubnet' }, nodeName, signal);
  return { ips: textsAt(subnet, 'egressIPs'), networks: textsAt(subnet, 'egressCIDRs') };
}

async function findObject(
  read: Reader,
  kind: { readonly group: string; readonly kind: string },
  name: string,
  signal: AbortSignal,
): Promise<Frozen<KubeObject> | undefined> {
  const resource: Resource | undefined = await read.resourceFor(kind);
  return resource && ifPresent(read.get(resource, { namespace: '', name }, { signal }));
}

function kubeletPort(node: Frozen<Node> | undefined): number | undefined {
  const port = node?.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  return port > 0 ? port : undefined;
}
