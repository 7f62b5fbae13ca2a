import {
  deletionHookPrefixes,
  machineReasons,
  nameOf,
  type ObservedMachine,
  parseKubernetesVersion,
} from '@slipway/cluster-api';
import { parseTime } from '@slipway/kube';
import { getCondition } from '@slipway/runtime';
import { controlPlaneAnnotations } from '../api/index.js';
import {
  type ControlPlaneDecision,
  type ControlPlaneView,
  deletingMachines,
  isEtcdManaged,
  type MachineView,
  nodeOf,
} from './control-plane.js';
import {
  hasHealthyControlPlaneWithout,
  isEtcdSafe,
  isEtcdSafeWithout,
  memberNameOf,
  planLeadership,
  unmatchedMembers,
} from './etcd-members.js';
import { deletionRetryMs } from './preflight.js';

/** Removes etcd members without a machine, one at a time. While a machine starts, such a member may belong to it and is kept. */
export function planUnexpectedMembers(view: ControlPlaneView): ControlPlaneDecision | undefined {
  if (!isEtcdManaged(view.controlPlane) || view.machines.length === 0) return undefined;
  const [member] = unmatchedMembers(view).sort((left, right) => (left.name < right.name ? -1 : 1));
  if (member === undefined || view.machines.some(({ machine }) => nodeOf(machine) === undefined)) return undefined;
  const name = member.name === '' ? '(Name not yet assigned)' : member.name;
  // A member without a name has never started, and no Machine can start it. Its removal does not cost etcd a vote.
  if (member.name !== '' && !isEtcdSafe(view, { remove: member.name }))
    return {
      type: 'wait',
      ms: deletionRetryMs,
      reason: 'EtcdQuorumAtRisk',
      message: `etcd member ${name} does not have a corresponding Machine, it must be removed from the cluster but this operation can lead to quorum loss. Please check the etcd status`,
    };
  const message = `etcd member ${name} does not have a corresponding Machine`;
  return { type: 'removeMember', member, reason: 'UnexpectedMember', message };
}

/** Plans the removal of etcd members of drained machines that wait for the hook of this controller, one at a time. */
export function planDeletingMachines(view: ControlPlaneView): ControlPlaneDecision | undefined {
  const deleting = deletingMachines(view);
  if (deleting.length === 0) return undefined;
  const released = deleting.find(({ machine }) => !hasOurHook(machine));
  if (released !== undefined)
    return waitFor('WaitingForMachineDeletion', `Waiting for Machine ${nameOf(released.machine)} to be deleted`);
  const [oldest, ...others] = [...deleting].sort((left, right) => deletedMs(left.machine) - deletedMs(right.machine));
  if (oldest === undefined) return undefined;
  const next = planDeletion(view, oldest);
  if (!isHeldForEtcd(next)) return next;
  // Prefer a machine whose member etcd can lose: it may be what blocks the removal of the oldest one.
  return others.map((each) => planDeletion(view, each)).find(({ type }) => type === 'release') ?? next;
}

function planDeletion(view: ControlPlaneView, removed: MachineView): ControlPlaneDecision {
  return waitForHook(view, removed) ?? planRelease(view, removed);
}

/** Whether a deletion waits until failing machines have been replaced. */
export function isHeldForEtcd(decision: ControlPlaneDecision): boolean {
  return decision.type === 'wait' && decision.reason === 'EtcdQuorumAtRisk';
}

type Wait = Extract<ControlPlaneDecision, { type: 'wait' }>;

function waitFor(reason: Wait['reason'], message: string): Wait {
  return { type: 'wait', ms: deletionRetryMs, reason, message };
}

function deletedMs(machine: ObservedMachine): number {
  return parseTime(machine.metadata.deletionTimestamp ?? '');
}

function hasOurHook(machine: ObservedMachine): boolean {
  return Object.hasOwn(machine.metadata.annotations ?? {}, controlPlaneAnnotations.preTerminateCleanup);
}

function hasOtherHooks(machine: ObservedMachine): boolean {
  return Object.keys(machine.metadata.annotations ?? {}).some(
    (key) => key.startsWith(deletionHookPrefixes.preTerminate) && key !== controlPlaneAnnotations.preTerminateCleanup,
  );
}

function waitForHook({ controlPlane }: ControlPlaneView, { machine }: MachineView): Wait | undefined {
  const version = parseKubernetesVersion(controlPlane.spec.version);
  const isLocalMode = version !== undefined && (version.major > 1 || version.minor >= 31);
  // In Kubernetes 1.31 and later, a kubelet uses the API server of its machine, which fails without etcd. So all other
  // hooks must be removed before ours.
  if (isLocalMode && hasOtherHooks(machine))
    return waitFor('WaitingForPreTerminateHook', `Waiting for other pre-terminate hooks of Machine ${nameOf(machine)}`);
  const deleting = getCondition(machine, 'Deleting');
  if (deleting?.status === 'True' && deleting.reason === machineReasons.waitingForPreTerminateHook) return undefined;
  return waitFor('WaitingForPreTerminateHook', `Waiting for Machine ${nameOf(machine)} to be drained`);
}

function planRelease(view: ControlPlaneView, removed: MachineView): ControlPlaneDecision {
  const name = nameOf(removed.machine);
  const release = {
    type: 'release',
    machine: name,
    reason: 'PreTerminate',
    message: `Machine ${name} is drained`,
    leadership: undefined,
    member: undefined,
  } as const;
  if (view.machines.length <= 1) return release;
  if (!hasHealthyControlPlaneWithout(view, removed))
    return waitFor(
      'WaitingForControlPlaneHealth',
      `Cannot delete control plane Machine ${name} when there are no control plane Machines with all Kubernetes control plane components in healthy state. Please check Kubernetes control plane component status`,
    );
  if (!isEtcdManaged(view.controlPlane)) return release;
  if (view.etcd === undefined || view.etcd.members.length === 0)
    return waitFor('EtcdUnknown', 'unable to remove pre-terminate hook, etcd member list is empty');
  if (!isEtcdSafeWithout(view, removed))
    return waitFor(
      'EtcdQuorumAtRisk',
      `Cannot delete control plane Machine ${name}, the operation can lead to etcd quorum loss. Please check the etcd status`,
    );
  const memberName = memberNameOf(removed);
  // The member of the machine is unknown. If it stays, it is removed later as a member without a machine.
  if (memberName === undefined) return release;
  const { move, problem } = planLeadership(view, removed);
  if (problem !== undefined) return waitFor('EtcdLeaderUnknown', problem);
  const member = view.etcd.members.find((each) => each.name === memberName);
  return { ...release, leadership: move, member };
}
