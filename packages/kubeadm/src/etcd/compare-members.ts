import { createdMs, isDeleting, nameOf, type ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import { type EtcdMember, memberNamed } from './etcd-state.js';

export interface MembersComparison {
  /** False when the two differ for longer than adding or removing a machine explains. */
  readonly match: boolean;
  /** Names of Machines with a Node for which there is no member. */
  readonly machinesWithoutMember: readonly string[];
  /** Sentences on members that belong to no Machine. */
  readonly problems: readonly string[];
}

/** Within this time after its Node appeared the member of a machine is expected to be seen. */
const memberDelayMs = 2 * 60_000;

/** Compares members with Machines, by the names of Nodes. `members` is undefined when etcd could not be asked. */
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
  // While a machine is on its way, a member that nobody knows is most likely its own.
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
