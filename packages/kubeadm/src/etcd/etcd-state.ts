import { createdMs, isDeleting, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';

/** The alarms that etcd raises. An unknown alarm is represented by its number. */
export type EtcdAlarm = 'NOSPACE' | 'CORRUPT' | `${number}`;

export interface EtcdMember {
  /** The ID in decimal: an unsigned 64-bit integer does not fit into a number. */
  readonly id: string;
  /** The name of the member's Node, as kubeadm sets it. Empty if the member has not started yet. */
  readonly name: string;
  readonly isLearner: boolean;
  /** Alarms of this member. */
  readonly alarms: readonly EtcdAlarm[];
}

/** The state that a quorum agreed on, read from one member. */
export interface EtcdState {
  readonly members: readonly EtcdMember[];
  /** The name of the leader. Undefined if there is no leader or it is unknown. */
  readonly leader: string | undefined;
}

export function memberNamed(members: readonly EtcdMember[], name: string): EtcdMember | undefined {
  return members.find((member) => member.name === name);
}

/** Returns member names for messages. A member that has not started yet is identified by its ID. */
export function memberNames(members: readonly EtcdMember[]): string[] {
  return members.map(({ name, id }) => (name === '' ? `name not set yet for member with id ${id}` : name));
}

/**
 * - `Unreachable`: no connection, or it was lost
 * - `Untrusted`: one side rejected the certificate of the other
 * - `Timeout`: no response in time
 * - `NoLeader`: the cluster has no leader, or no quorum
 * - `Refused`: the cluster rejected the request
 * - `Protocol`: the response was not a valid etcd response
 */
export type EtcdReason = 'Unreachable' | 'Untrusted' | 'Timeout' | 'NoLeader' | 'Refused' | 'Protocol';

/** The operation that failed. */
export type EtcdStep = 'connect' | 'members' | 'alarms' | 'remove member' | 'move leader';

/** A failed call to etcd. The message can be used in a condition. */
export class EtcdError extends Error {
  readonly reason: EtcdReason;
  readonly step: EtcdStep;

  constructor(reason: EtcdReason, step: EtcdStep, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EtcdError';
    this.reason = reason;
    this.step = step;
  }
}

export interface MembersComparison {
  /** False if members and Machines differ for longer than adding or removing a machine takes. */
  readonly match: boolean;
  /** Names of Machines that have a Node but no member. */
  readonly machinesWithoutMember: readonly string[];
  /** Messages about members without a Machine. */
  readonly problems: readonly string[];
}

/** How long a machine may have no member after its Node was registered. */
const memberDelayMs = 2 * 60_000;

/** Compares members with Machines by Node name. `members` is undefined if etcd is unreachable. */
export function compareMachinesAndMembers(
  machines: readonly ObservedMachine[],
  members: readonly EtcdMember[] | undefined,
  nodes: ReadonlyMap<string, Frozen<Node>>,
  nowMs: number,
): MembersComparison {
  const provisioned = machines.filter(({ status }) => status?.nodeRef?.name !== undefined);
  if (members === undefined) return { match: provisioned.length === 0, machinesWithoutMember: [], problems: [] };
  const without = provisioned.filter(({ status }) => memberNamed(members, status?.nodeRef?.name ?? '') === undefined);
  const overdue = without.some((machine) => !isDeleting(machine) && isOld(nodes, machine, nowMs));
  const nodeNames = new Set(provisioned.map(({ status }) => status?.nodeRef?.name));
  const strangers = members.filter(({ name }) => !nodeNames.has(name));
  // While a machine is being provisioned, an unknown member most likely belongs to it.
  const isProvisioning = provisioned.length < machines.length;
  return {
    match: !overdue && (strangers.length === 0 || isProvisioning),
    machinesWithoutMember: without.map(nameOf),
    problems: strangers.map(
      ({ name, id }) =>
        `Etcd member ${name === '' ? `${id} (Name not yet assigned)` : name} does not have a corresponding Machine`,
    ),
  };
}

function isOld(nodes: ReadonlyMap<string, Frozen<Node>>, machine: ObservedMachine, nowMs: number): boolean {
  const node = nodes.get(machine.status?.nodeRef?.name ?? '');
  return node !== undefined && nowMs - createdMs(node) > memberDelayMs;
}
