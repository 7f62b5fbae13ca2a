import type { Frozen } from '@slipway/kube';
import type { Node, Pod, PodCondition } from '@slipway/kube/builtin';
import { kvmReasons } from '../api/index.js';
import { nodeReadyGate } from '../pod/index.js';

/** Observed Node of a machine. `unknown` if the workload cluster is not reachable. */
export type NodeEvidence =
  | { readonly type: 'unknown' }
  | { readonly type: 'missing'; readonly hadNode: boolean }
  | { readonly type: 'node'; readonly node: Frozen<Node> };

type GateState = Pick<PodCondition, 'status' | 'reason' | 'message'>;

/**
 * Returns the readiness gate condition of a worker's pod, or undefined to leave it unchanged. An unreachable workload cluster
 * does not change the gate: removing all its Nodes from Services would cause an outage.
 */
export function gateCondition(pod: Frozen<Pod>, evidence: NodeEvidence, nowText: string): PodCondition | undefined {
  if (evidence.type === 'unknown') return undefined;
  const before = pod.status?.conditions?.find(({ type }) => type === nodeReadyGate);
  const state = evidence.type === 'node' ? stateOf(evidence.node) : missingState(evidence.hadNode);
  if (before?.status === state.status && before.reason === state.reason && before.message === state.message)
    return undefined;
  const { lastTransitionTime } = before ?? {};
  const changed = before?.status !== state.status || typeof lastTransitionTime !== 'string';
  return { type: nodeReadyGate, ...state, lastTransitionTime: changed ? nowText : lastTransitionTime };
}

function stateOf(node: Frozen<Node>): GateState {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const name = node.metadata.name ?? '';
  if (node.metadata.deletionTimestamp !== undefined)
    return { status: 'False', reason: 'NodeDeleted', message: `Node ${name} is being deleted` };
  if (ready?.status === 'True') return { status: 'True', reason: 'NodeReady', message: `Node ${name} is ready` };
  return {
    status: ready?.status === 'False' ? 'False' : 'Unknown',
    reason: kvmReasons.nodeNotReady,
    message: `Node ${name} is not ready${ready?.message === undefined ? '' : `: ${ready.message}`}`,
  };
}

function missingState(hadNode: boolean): GateState {
  return hadNode
    ? { status: 'False', reason: 'NodeDeleted', message: 'the Node of this machine was deleted' }
    : { status: 'Unknown', reason: kvmReasons.nodeNotFound, message: 'Waiting for the machine to join the cluster' };
}
