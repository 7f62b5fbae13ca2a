import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import { type NodeStatus, providerIdPrefix, type Reason, remedies, uninitializedTaint } from '../api/index.js';
import type { MachineFacts } from '../connection/vcenters.js';
import { isBelow } from '../matrix/index.js';

export interface NodeFacts {
  readonly nodes: Iterable<Frozen<Node>>;
  /** VMs of all vCenters. Undefined until they have been read. */
  readonly machines: readonly MachineFacts[] | undefined;
  /** The searched vCenters and datacenters, for messages. */
  readonly places: string;
}

/** Returns the state of each node. */
export function nodeStates({ nodes, machines, places }: NodeFacts): NodeStatus[] {
  return [...nodes]
    .map((node) => stateOf(node, machines, places))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function stateOf(node: Frozen<Node>, machines: readonly MachineFacts[] | undefined, places: string): NodeStatus {
  const name = node.metadata.name ?? '';
  const providerID = node.spec?.providerID ?? '';
  const failed = (reason: Reason, message: string): NodeStatus => ({
    name,
    state: 'failed',
    reason,
    message: `${message}; ${remedies[reason]}`,
  });
  if (providerID.startsWith(providerIdPrefix)) return { name, state: 'ready', providerID };
  if (providerID !== '')
    return { name, state: 'foreign', providerID, reason: 'ForeignProviderID', message: remedies.ForeignProviderID };
  const isTainted = node.spec?.taints?.some(({ key }) => key === uninitializedTaint) === true;
  if (!isTainted)
    return failed(
      'KubeletWithoutCloudProvider',
      'the kubelet was not started with --cloud-provider=external: the CPI will never initialize this node',
    );
  const isThere = machines === undefined || findMachine(node, machines) !== undefined;
  if (isThere)
    return { name, state: 'pending', reason: 'WaitingForCPI', message: 'Waiting for the CPI to set spec.providerID' };
  return failed('NodeNotFound', `no VM of this node found in ${places}`);
}

/**
 * Finds the VM of a node by UUID, then by address: a node may have no address before the CPI runs. Some guests report the first
 * groups of the UUID byte-swapped.
 */
export function findMachine(node: Frozen<Node>, machines: readonly MachineFacts[]): MachineFacts | undefined {
  const uuid = (
    node.spec?.providerID?.replace(providerIdPrefix, '') ||
    node.status?.nodeInfo?.systemUUID ||
    ''
  ).toLowerCase();
  const byUuid = (desired: string): MachineFacts | undefined =>
    desired === '' ? undefined : machines.find((machine) => machine.uuid === desired);
  const found = byUuid(uuid) ?? byUuid(swapUuid(uuid));
  if (found !== undefined) return found;
  const addresses = node.status?.addresses ?? [];
  const internal = addresses.flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : []));
  const byAddress = machines.find((machine) => machine.addresses.some((address) => internal.includes(address)));
  if (byAddress !== undefined) return byAddress;
  const names = [
    node.metadata.name,
    ...addresses.flatMap(({ type, address }) => (type === 'Hostname' ? [address] : [])),
  ];
  return machines.find(
    ({ hostName, name }) => (hostName !== undefined && names.includes(hostName)) || names.includes(name),
  );
}

export function swapUuid(uuid: string): string {
  const [first = '', second = '', third = '', ...rest] = uuid.split('-');
  const swapped = [first, second, third].map((part) => (part.match(/../g) ?? []).reverse().join(''));
  return rest.length === 2 ? [...swapped, ...rest].join('-') : '';
}

const hardwareMin = 15;

export interface MachineProblem {
  readonly node: string;
  readonly reason: Reason;
  /** Whether the problem breaks storage. Otherwise it is a warning. */
  readonly isBlocking: boolean;
}

/** Returns the problems of the nodes' VMs for each driver. */
export function machineProblems(
  nodes: Iterable<Frozen<Node>>,
  machines: readonly MachineFacts[] | undefined,
): { readonly cpi: readonly MachineProblem[]; readonly csi: readonly MachineProblem[] } {
  const cpi: MachineProblem[] = [];
  const csi: MachineProblem[] = [];
  for (const node of machines === undefined ? [] : nodes) {
    const machine = findMachine(node, machines ?? []);
    if (machine === undefined) continue;
    const name = node.metadata.name ?? '';
    const isUninitialized = !node.spec?.providerID;
    if (isUninitialized && !machine.areToolsRunning)
      cpi.push({ node: name, reason: 'ToolsNotRunning', isBlocking: true });
    if (machine.isDiskUuidEnabled === false) csi.push({ node: name, reason: 'DiskUUIDDisabled', isBlocking: true });
    const hardware = Number(machine.hardware?.replace(/^vmx-/, ''));
    if (hardware < hardwareMin) csi.push({ node: name, reason: 'HardwareTooOld', isBlocking: false });
    if (machine.hostVersion !== undefined && isBelow(machine.hostVersion, '6.7.3'))
      csi.push({ node: name, reason: 'HostTooOld', isBlocking: false });
  }
  return { cpi, csi };
}
