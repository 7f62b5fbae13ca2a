import {
  type Machine,
  machines,
  type ObservedMachine,
  setV1beta1Condition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type CallChange,
  type Cause,
  type Change,
  type ConditionTarget,
  deleteCondition,
  edit,
  keyOf,
  type Node,
  type ObjectKey,
  setCondition,
  type StatusChange,
} from '@slipway/runtime';
import { controlPlaneAnnotations, kubeadmControlPlanes } from '../api/index.js';
import type { EtcdMember } from '../etcd/index.js';
import type { ControlPlaneWorkload } from '../workload/index.js';
import type {
  ControlPlaneDecision,
  LeadershipMove,
  MachineView,
  ObservedControlPlane,
  RemediationNote,
} from './control-plane.js';

/** A decision that removes a machine or an etcd member. */
export type RemovalDecision = Extract<
  ControlPlaneDecision,
  { readonly type: 'delete' | 'remediate' | 'release' | 'removeMember' }
>;

/** The input for computing the changes of a decision. */
export interface ChangeFacts {
  readonly controlPlane: ObservedControlPlane;
  readonly cluster: ObjectKey;
  readonly machines: readonly MachineView[];
  /** Nodes of the control plane in the workload cluster. */
  readonly nodes: readonly Frozen<Node>[];
  readonly workload: () => Promise<Pick<ControlPlaneWorkload, 'removeEtcdMember' | 'forwardEtcdLeadership'>>;
}

export interface RemovalChanges {
  /** Alternative calls that move etcd leadership, tried in order until one succeeds. Empty if leadership need not move. */
  readonly leadership: readonly CallChange<void>[];
  /** The changes to apply in order, after leadership has moved. */
  readonly changes: readonly Change[];
}

/** Returns the changes that carry out a removal, each with the reason of the decision. */
export function removalChanges(decision: RemovalDecision, facts: ChangeFacts): RemovalChanges {
  switch (decision.type) {
    case 'delete':
      return { leadership: leadershipChanges(decision, facts), changes: [scaleDownChange(decision, facts)] };
    case 'remediate':
      return { leadership: leadershipChanges(decision, facts), changes: [deleteChange(decision, facts)] };
    case 'release':
      return { leadership: leadershipChanges(decision, facts), changes: releaseChanges(decision, facts) };
    case 'removeMember': {
      const { member, reason, message } = decision;
      const call = { resource: kubeadmControlPlanes, key: keyOf(facts.controlPlane) };
      return { leadership: [], changes: [memberRemoval(member, call, { reason, message }, facts)] };
    }
  }
}

type Decision<Type extends RemovalDecision['type']> = Extract<RemovalDecision, { readonly type: Type }>;

function machineKey({ cluster }: ChangeFacts, name: string): ObjectKey {
  return { namespace: cluster.namespace, name };
}

function leadershipChanges(
  decision: RemovalDecision & { readonly machine: string; readonly leadership: LeadershipMove | undefined },
  facts: ChangeFacts,
): CallChange<void>[] {
  const { machine, reason, leadership } = decision;
  if (leadership === undefined) return [];
  const { from, candidates } = leadership;
  return candidates.map((to) => ({
    verb: 'call',
    resource: machines,
    key: machineKey(facts, machine),
    action: 'move etcd leadership',
    reason,
    message: `Moved etcd leadership from ${from} to ${to} before Machine ${machine} is deleted`,
    run: async (signal) => (await facts.workload()).forwardEtcdLeadership(from, to, { signal }),
    assume: () => undefined,
  }));
}

function scaleDownChange(decision: Decision<'delete'>, facts: ChangeFacts): Change {
  const { namespace, name } = facts.cluster;
  const message = `Failed to delete control plane Machine ${decision.machine} for cluster ${namespace}/${name} control plane`;
  const failureEvent = { about: facts.controlPlane, reason: 'FailedScaleDown', message };
  return { ...deleteChange(decision, facts), failureEvent };
}

function deleteChange(decision: Decision<'delete' | 'remediate'>, facts: ChangeFacts): Change {
  const { machine, reason, message } = decision;
  const causes = facts.machines.find((view) => view.machine.metadata.name === machine)?.outdated ?? [];
  const because = reason === 'RollingOut' && causes.length > 0 ? ` (${causes.join(', ')})` : '';
  return {
    verb: 'delete',
    resource: machines,
    key: machineKey(facts, machine),
    reason,
    message: `Deleted Machine ${machine}: ${message}${because}`,
  };
}

/** Removes the etcd member, then the hook annotation that blocks the deletion of the Machine. */
function releaseChanges(decision: Decision<'release'>, facts: ChangeFacts): Change[] {
  const { machine: name, member, reason, message } = decision;
  const call = { resource: machines, key: machineKey(facts, name) };
  const cause = { reason, message: `Removed etcd member ${member?.name ?? ''}: ${message}` };
  const removal = member === undefined ? [] : [memberRemoval(member, call, cause, facts)];
  const found = facts.machines.find(({ machine }) => machine.metadata.name === name);
  return found === undefined ? removal : [...removal, hookRemoval(found.machine, { reason, message })];
}

function memberRemoval(
  member: EtcdMember,
  call: Pick<CallChange, 'resource' | 'key'>,
  cause: Cause,
  { workload, nodes }: ChangeFacts,
): CallChange<void> {
  return {
    verb: 'call',
    ...call,
    action: 'remove etcd member',
    ...cause,
    run: async (signal) => (await workload()).removeEtcdMember(member, nodes, { signal }),
    assume: () => undefined,
  };
}

/** Removes the hook annotation, so that this controller no longer blocks the deletion of the Machine. */
export function hookRemoval(machine: ObservedMachine, { reason, message }: Cause): Change {
  const after = edit(machine, ({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[controlPlaneAnnotations.preTerminateCleanup];
  });
  const removed = `Removed the pre-terminate hook from Machine ${machine.metadata.name ?? ''}: ${message}`;
  return { verb: 'patch', resource: machines, before: machine, after, reason, message: removed };
}

/** Records the state of a remediation on its machine. */
export function noteChange(
  machine: ObservedMachine,
  { condition }: RemediationNote,
  nowMs: number,
): StatusChange<Machine> {
  const after = edit(machine, (draft) => {
    if (condition === undefined) {
      deleteCondition(draft as ConditionTarget, 'OwnerRemediated');
      const deprecated = draft.status?.deprecated?.v1beta1;
      if (deprecated?.conditions !== undefined)
        deprecated.conditions = deprecated.conditions.filter(({ type }) => type !== 'OwnerRemediated');
      return;
    }
    setCondition(draft as ConditionTarget, condition, nowMs);
    const { reason, message = '' } = condition;
    const mirrored = reason === 'MachineDeleting' ? 'RemediationInProgress' : 'WaitingForRemediation';
    const text = reason === 'MachineDeleting' ? '' : message;
    const deprecated = { type: 'OwnerRemediated', status: 'False', reason: mirrored, severity: 'Warning' } as const;
    setV1beta1Condition(draft as V1beta1Target, { ...deprecated, ...(text !== '' && { message: text }) }, nowMs);
  });
  const { reason, message = '' } = condition ?? { reason: 'HealthRestored', message: 'Machine is healthy again' };
  return {
    verb: 'status',
    resource: machines,
    before: machine,
    after,
    ownedConditions: ['OwnerRemediated'],
    reason,
    message,
  };
}
