import { isDeleting, labels, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import { isConditionTrue, type Node, nodes, pods, type Reader } from '@slipway/runtime';
import { controlPlaneMachineConditions } from '../api/index.js';
import { type EtcdCluster, EtcdError } from '../etcd/index.js';
import type { ControlPlaneObservation, EtcdObservation, PodObservation } from './control-plane-workload.js';
import { isUnreachable } from './component-findings.js';
import { staticPodComponents, staticPodName, systemNamespace } from './static-pod-finding.js';

export interface ObserveOptions {
  /** Reader of the workload cluster. */
  readonly read: Reader;
  /** Absent for an external etcd. */
  readonly etcd?: () => Promise<EtcdCluster>;
  readonly signal?: AbortSignal;
}

type NodesByName = Map<string, Frozen<Node>>;

/** Reads Nodes, static Pods and etcd. Read failures are part of the observation. Throws only on abort. */
export async function observeControlPlane(
  machines: readonly ObservedMachine[],
  options: ObserveOptions,
): Promise<ControlPlaneObservation> {
  const { signal } = options;
  let found: { readonly all: NodesByName; readonly labelled: readonly string[] };
  try {
    found = await observeNodes(machines, options);
  } catch (error) {
    signal?.throwIfAborted();
    return { nodesFailure: messageOf(error), nodes: new Map(), labelledNodes: [], pods: new Map() };
  }
  const running = machines.filter((machine) => !isDeleting(machine) && nodeOf(machine, found.all) !== undefined);
  const seenPods = await observePods(running, found.all, options);
  const etcd = await observeEtcd(running, found.all, seenPods, options);
  signal?.throwIfAborted();
  return {
    nodes: found.all,
    labelledNodes: found.labelled,
    pods: seenPods,
    ...(etcd === undefined ? {} : { etcd }),
  };
}

function nodeOf(machine: ObservedMachine, all: NodesByName): Frozen<Node> | undefined {
  return all.get(machine.status?.nodeRef?.name ?? '');
}

/** Lists Nodes by label, to find those without a Machine, and reads Nodes of Machines that lack the label by name. */
async function observeNodes(
  machines: readonly ObservedMachine[],
  { read, signal }: ObserveOptions,
): Promise<{ readonly all: NodesByName; readonly labelled: readonly string[] }> {
  const labelSelector = `${labels.nodeRoleControlPlane}=`;
  const { items } = await read.list(nodes, { labelSelector, signal });
  const all: NodesByName = new Map(items.map((node) => [nameOf(node), node]));
  const labelled = [...all.keys()];
  const others = machines.flatMap(({ status }) => status?.nodeRef?.name ?? []).filter((name) => !all.has(name));
  await Promise.all(
    others.map(async (name) => {
      try {
        all.set(name, await read.get(nodes, { namespace: '', name }, { signal }));
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }),
  );
  return { all, labelled };
}

async function observePods(
  machines: readonly ObservedMachine[],
  all: NodesByName,
  { read, etcd, signal }: ObserveOptions,
): Promise<Map<string, PodObservation>> {
  const components = staticPodComponents(etcd !== undefined);
  const names = machines.flatMap((machine) => {
    const node = nodeOf(machine, all);
    if (node === undefined || isUnreachable(node)) return [];
    return components.map((component) => staticPodName(component.name, nameOf(node)));
  });
  const seen = await Promise.all(
    names.map(async (name): Promise<[string, PodObservation]> => {
      try {
        return [name, { pod: await read.get(pods, { namespace: systemNamespace, name }, { signal }) }];
      } catch (error) {
        return [name, isReason(error, 'NotFound') ? { absent: true } : { failure: messageOf(error) }];
      }
    }),
  );
  return new Map(seen);
}

async function observeEtcd(
  machines: readonly ObservedMachine[],
  all: NodesByName,
  seenPods: ReadonlyMap<string, PodObservation>,
  { etcd, signal }: ObserveOptions,
): Promise<EtcdObservation | undefined> {
  const nodeNames = nodesByReliability(machines, all, seenPods);
  if (etcd === undefined || nodeNames.length === 0) return undefined;
  try {
    return { state: await (await etcd()).state(nodeNames, { signal }) };
  } catch (error) {
    signal?.throwIfAborted();
    const failed = error instanceof EtcdError && isStep(error.step) ? error.step : 'connect';
    return { failed, message: messageOf(error) };
  }
}

function isStep(step: EtcdError['step']): step is 'connect' | 'members' | 'alarms' {
  return step === 'connect' || step === 'members' || step === 'alarms';
}

/**
 * Sorts Nodes by how likely their etcd member responds: members that were healthy in the last observation, then reachable Nodes,
 * then ready Pods. A member that does not respond costs the whole dial timeout.
 */
function nodesByReliability(
  machines: readonly ObservedMachine[],
  all: NodesByName,
  seenPods: ReadonlyMap<string, PodObservation>,
): string[] {
  const ranked = machines.flatMap((machine) => {
    const node = nodeOf(machine, all);
    if (node === undefined) return [];
    const wasHealthy = isConditionTrue(machine, controlPlaneMachineConditions.etcdMemberHealthy);
    const isReachable = !isUnreachable(node) && isTrue(node.status?.conditions);
    const seen = seenPods.get(staticPodName('etcd', nameOf(node)));
    const isReady = seen !== undefined && 'pod' in seen && isTrue(seen.pod.status?.conditions);
    return [{ name: nameOf(node), rank: Number(wasHealthy) * 4 + Number(isReachable) * 2 + Number(isReady) }];
  });
  return ranked
    .sort((left, right) => right.rank - left.rank || (left.name < right.name ? -1 : 1))
    .map(({ name }) => name);
}

function isTrue(conditions: readonly { readonly type: string; readonly status: string }[] | undefined): boolean {
  return conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
