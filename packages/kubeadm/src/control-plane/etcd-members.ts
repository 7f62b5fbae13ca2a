import { createdMs, isDeleting } from '@slipway/cluster-api';
import { isConditionTrue } from '@slipway/runtime';
import { type EtcdChange, type EtcdMember, etcdTarget } from '../etcd/index.js';
import {
  type ControlPlaneView,
  hasHealthyComponents,
  hasHealthyMember,
  isEtcdManaged,
  type LeadershipMove,
  type MachineView,
  nodeOf,
} from './control-plane.js';

/** Returns the name that the etcd member of a machine has, or will have when it joins. Undefined while its Node is unknown. */
export function memberNameOf({ machine, nodeName }: MachineView): string | undefined {
  return nodeOf(machine) ?? nodeName;
}

/** Returns the members without a known machine. A member without a name has not started yet. */
export function unmatchedMembers(view: ControlPlaneView): EtcdMember[] {
  const expected = new Set(view.machines.map(memberNameOf));
  return (view.etcd?.members ?? []).filter(({ name }) => name === '' || !expected.has(name));
}

/**
 * Whether a member is healthy, according to the conditions of its machine. For a member without a machine only alarms are known.
 */
function isMemberHealthy(view: ControlPlaneView, member: EtcdMember, { remove = '' }: EtcdChange): boolean {
  // etcd still lists a member whose machine is lost, and raises no alarm for it.
  if (view.silentNodes.has(member.name)) return false;
  const found = view.machines.find(({ machine }) => nodeOf(machine) === member.name);
  if (found === undefined) return member.alarms.length === 0;
  // A deleting machine no longer reports health, although its member votes until it is removed. Normally such a member
  // counts as unhealthy. If the machine to remove is lost, its removal costs no vote, so the member counts as healthy
  // unless it raises an alarm.
  if (isDeleting(found.machine) && view.silentNodes.has(remove)) return member.alarms.length === 0;
  return hasHealthyMember(found.machine);
}

export function isEtcdSafe(view: ControlPlaneView, change: EtcdChange): boolean {
  if (view.etcd === undefined) return false;
  return etcdTarget(view.etcd, change, (member) => isMemberHealthy(view, member, change)).isSafe;
}

/**
 * Whether etcd keeps its quorum without the machine. If the Node of the machine is unknown, it may run any of the members that
 * have no known machine. Then etcd must keep its quorum without each of them.
 */
export function isEtcdSafeWithout(view: ControlPlaneView, removed: MachineView): boolean {
  const name = memberNameOf(removed);
  if (name !== undefined) return isEtcdSafe(view, { remove: name });
  const candidates = unmatchedMembers(view).filter((member) => member.name !== '');
  return candidates.every((member) => isEtcdSafe(view, { remove: member.name }));
}

/** Whether at least one other machine would still serve the API. */
export function hasHealthyControlPlaneWithout(view: ControlPlaneView, removed: MachineView | undefined): boolean {
  const managed = isEtcdManaged(view.controlPlane);
  return view.machines.some((each) => each !== removed && hasHealthyComponents(each.machine, managed));
}

/** Returns the candidates for etcd leadership when a machine is deleted, the most reliable first. */
function leadershipCandidates(view: ControlPlaneView, removed: MachineView): string[] {
  return view.machines
    .filter((each) => each !== removed && nodeOf(each.machine) !== undefined && !isDeleting(each.machine))
    .sort(compareReliability)
    .map(({ machine }) => nodeOf(machine) as string);
}

function compareReliability(left: MachineView, right: MachineView): number {
  const rank = ({ machine, outdated }: MachineView): number[] => [
    Number(hasHealthyMember(machine)),
    Number(isConditionTrue(machine, 'HealthCheckSucceeded')),
    Number(outdated.length === 0),
    createdMs(machine),
  ];
  const [a, b] = [rank(left), rank(right)];
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? 0 : (b[place] ?? 0) - (a[place] ?? 0);
}

export interface LeadershipPlan {
  readonly move: LeadershipMove | undefined;
  readonly problem?: string;
}

/** Plans to move leadership before the machine of the leader is deleted, because etcd is unavailable during an election. */
export function planLeadership(view: ControlPlaneView, removed: MachineView): LeadershipPlan {
  if (!isEtcdManaged(view.controlPlane)) return { move: undefined };
  const from = memberNameOf(removed);
  const leader = view.etcd?.leader;
  if (leader === undefined)
    return { move: undefined, problem: 'unable to move etcd leadership, failed to detect etcd leader' };
  if (from === undefined || from !== leader) return { move: undefined };
  const candidates = leadershipCandidates(view, removed);
  if (candidates.length > 0) return { move: { from, candidates } };
  return {
    move: undefined,
    problem: 'unable to move etcd leadership, no candidate machines for etcd leadership found',
  };
}
