import { isDeleting, nameOf, type ObservedMachine, reasons } from '@slipway/cluster-api';
import { controlPlaneMachineConditions, kubeadmConditions, kubeadmReasons } from '../api/index.js';
import { compareMachinesAndMembers, type EtcdMember, memberNamed, memberNames } from '../etcd/index.js';
import { waitingForNode } from './component-findings.js';
import type { ControlPlaneObservation, EtcdObservation } from './control-plane-workload.js';
import { aggregateFindings, aggregateV1beta1, type Finding, type FindingBook, type MachineBooks } from './finding.js';

const { etcdMemberHealthy } = controlPlaneMachineConditions;
const { etcdClusterHealthy } = kubeadmConditions;

/** Reasons of the v1beta1 conditions. */
const memberInspectionFailed = 'MemberInspectionFailed';
const memberUnhealthy = 'EtcdMemberUnhealthy';

export interface EtcdInput {
  readonly machines: readonly ObservedMachine[];
  readonly observation: ControlPlaneObservation;
  readonly nowMs: number;
}

/** Collects the health of every member and of the control plane. Returns whether members and Machines match. */
export function noteEtcd(input: EtcdInput, books: MachineBooks, controlPlane: FindingBook): boolean {
  const { machines, observation, nowMs } = input;
  if (observation.nodesFailure !== undefined) {
    for (const book of books.values()) book.note(etcdMemberHealthy, nodeUnknown());
    controlPlane.note(etcdClusterHealthy, nodesUnknown());
    return false;
  }
  for (const machine of machines)
    books.get(nameOf(machine))?.note(etcdMemberHealthy, memberFinding(machine, observation));
  const members = membersOf(observation.etcd);
  const comparison = compareMachinesAndMembers(machines, members, observation.nodes, nowMs);
  for (const machine of machines) {
    if (!comparison.machinesWithoutMember.includes(nameOf(machine))) continue;
    books.get(nameOf(machine))?.note(etcdMemberHealthy, missingMember(machine.status?.nodeRef?.name ?? ''));
  }
  noteControlPlane(machines, comparison.problems, books, controlPlane);
  return comparison.match;
}

/** Records the findings for an external etcd: the v1beta1 condition is True, and the v1beta2 condition is not set. */
export function noteExternalEtcd(controlPlane: FindingBook): void {
  controlPlane.noteV1beta1({ type: etcdClusterHealthy, status: 'True' });
}

function membersOf(etcd: EtcdObservation | undefined): readonly EtcdMember[] | undefined {
  return etcd !== undefined && 'state' in etcd ? etcd.state.members : undefined;
}

function nodeUnknown(): Finding {
  return {
    status: 'Unknown',
    reason: reasons.inspectionFailed,
    message: 'Failed to get the Node hosting the etcd member',
    v1beta1: {
      status: 'Unknown',
      reason: memberInspectionFailed,
      message: 'Failed to get the Node which is hosting the etcd member',
    },
  };
}

function nodesUnknown(): Finding {
  return {
    status: 'Unknown',
    reason: reasons.inspectionFailed,
    message: 'Failed to get Nodes hosting the etcd cluster',
    v1beta1: {
      status: 'Unknown',
      reason: 'EtcdClusterInspectionFailed',
      message: 'Failed to list Nodes which are hosting the etcd members',
    },
  };
}

function memberFinding(machine: ObservedMachine, { etcd }: ControlPlaneObservation): Finding {
  if (isDeleting(machine))
    return {
      status: 'False',
      reason: reasons.deleting,
      message: 'Machine is deleting',
      v1beta1: { status: 'False', reason: reasons.deleting, severity: 'Info', message: '' },
    };
  const nodeName = machine.status?.nodeRef?.name;
  if (nodeName === undefined)
    return { status: 'Unknown', reason: reasons.inspectionFailed, message: waitingForNode(machine) };
  if (etcd !== undefined && 'failed' in etcd) return etcdFailed(etcd);
  const members = membersOf(etcd) ?? [];
  const member = memberNamed(members, nodeName);
  return member === undefined ? notIncluded(machine, nodeName, members) : memberHealth(member);
}

function etcdFailed({ failed, message }: Extract<EtcdObservation, { failed: string }>): Finding {
  const reason = reasons.inspectionFailed;
  if (failed === 'connect') {
    const text = `Failed to connect to etcd: ${message}`;
    const v1beta1 = { status: 'Unknown', reason: memberInspectionFailed, message: text } as const;
    return { status: 'Unknown', reason, message: text, v1beta1 };
  }
  const text = `Failed to get etcd ${failed}`;
  return {
    status: 'Unknown',
    reason,
    message: `${text}: ${message}`,
    v1beta1: { status: 'False', reason: memberUnhealthy, severity: 'Error', message: text },
  };
}

function notIncluded(machine: ObservedMachine, nodeName: string, members: readonly EtcdMember[]): Finding {
  const names = `[${memberNames(members).join(' ')}]`;
  return unhealthy(
    `Etcd reports the cluster is composed by ${names}, but the etcd member hosted on Machine ${nameOf(machine)} (${nodeName}) is not included`,
    `Etcd member reports the cluster is composed by members ${names}, but the member hosted on this Machine is not included`,
  );
}

function missingMember(nodeName: string): Finding {
  return unhealthy(`Etcd doesn't have an etcd member for Node ${nodeName}`, 'Missing etcd member');
}

function memberHealth({ isLearner, alarms }: EtcdMember): Finding {
  if (isLearner) return unhealthy('Waiting for learner etcd member to be promoted');
  if (alarms.length > 0)
    return unhealthy(`Etcd reports alarms: ${alarms.join(', ')}`, `Etcd member reports alarms: ${alarms.join(', ')}`);
  return { status: 'True', reason: kubeadmReasons.healthy, message: '', v1beta1: { status: 'True' } };
}

function unhealthy(message: string, v1beta1Message = message): Finding {
  return {
    status: 'False',
    reason: kubeadmReasons.notHealthy,
    message,
    v1beta1: { status: 'False', reason: memberUnhealthy, severity: 'Error', message: v1beta1Message },
  };
}

function noteControlPlane(
  machines: readonly ObservedMachine[],
  problems: readonly string[],
  books: MachineBooks,
  controlPlane: FindingBook,
): void {
  const aggregation = { machines, books, types: [etcdMemberHealthy], problems, subject: 'etcd member' };
  controlPlane.note(etcdClusterHealthy, aggregateFindings(aggregation));
  const v1beta1 = aggregateV1beta1({
    ...aggregation,
    type: etcdClusterHealthy,
    unhealthyReason: 'EtcdClusterUnhealthy',
    unknownReason: 'EtcdClusterUnknown',
  });
  if (v1beta1 !== undefined) controlPlane.noteV1beta1(v1beta1);
}
