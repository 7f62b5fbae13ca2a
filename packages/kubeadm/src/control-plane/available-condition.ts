import { reasons } from '@slipway/cluster-api';
import { parseTime } from '@slipway/kube';
import { getCondition, isConditionTrue, type NewCondition } from '@slipway/runtime';
import { controlPlaneMachineConditions, kubeadmConditions } from '../api/index.js';
import { type EtcdMember, quorumOf } from '../etcd/index.js';
import {
  componentConditions,
  isEtcdManaged,
  isInitialized,
  nodeOf,
  type ObservedControlPlane,
} from './control-plane.js';
import type { ObservedMachine } from '@slipway/cluster-api';

export interface AvailableInput {
  /** The control plane with the conditions that this reconcile has set. */
  readonly controlPlane: ObservedControlPlane;
  readonly machines: readonly ObservedMachine[];
  readonly members: readonly EtcdMember[] | undefined;
  readonly membersMatchMachines: boolean;
  readonly nowMs: number;
}

/** How long after initialization a missing list of etcd members is not reported as a problem. */
const membersDelayMs = 2 * 60_000;
/** How long a problem must last before an available control plane reports it. */
const reportAfterMs = 10_000;

const type = 'Available';

export function availableCondition(input: AvailableInput): NewCondition {
  return notYet(input) ?? judged(input);
}

function notAvailable(message: string): NewCondition {
  return { type, status: 'False', reason: reasons.notAvailable, message };
}

function notYet({ controlPlane, members, membersMatchMachines, nowMs }: AvailableInput): NewCondition | undefined {
  if (!isInitialized(controlPlane)) return notAvailable('Control plane not yet initialized');
  if (!isEtcdManaged(controlPlane)) return undefined;
  if (members === undefined) {
    const initialized = getCondition(controlPlane, kubeadmConditions.initialized);
    const isFresh =
      initialized?.status === 'True' && nowMs - parseTime(initialized.lastTransitionTime) < membersDelayMs;
    if (isFresh) return notAvailable('Waiting for etcd to report the list of members');
    return { type, status: 'Unknown', reason: reasons.inspectionFailed, message: 'Failed to get etcd members' };
  }
  if (membersMatchMachines) return undefined;
  return notAvailable('The list of etcd members does not match the list of Machines and Nodes');
}

interface Tally {
  healthy: number;
  /** Number of machines whose problem has lasted long enough to be reported. */
  unhealthy: number;
  unhealthyJustNow: number;
}

function judged(input: AvailableInput): NewCondition {
  const { controlPlane } = input;
  const managed = isEtcdManaged(controlPlane);
  const components = tallyComponents(input, managed);
  const etcd = managed ? tallyEtcd(input) : undefined;
  const isServing = components.healthy >= 1 && (etcd === undefined || etcd.healthy >= etcd.quorum);
  const hasCertificates = isConditionTrue(controlPlane, kubeadmConditions.certificatesAvailable);
  const deleting = controlPlane.metadata.deletionTimestamp !== undefined;
  if (isServing && hasCertificates && !deleting) {
    const message = warnings(input, components, etcd).join('\n');
    return { type, status: 'True', reason: reasons.available, message };
  }
  const messages: string[] = [];
  if (deleting) messages.push('* Control plane metadata.deletionTimestamp is set');
  if (!hasCertificates) messages.push('* Control plane certificates are not available');
  if (etcd !== undefined && etcd.healthy < etcd.quorum) messages.push(etcdMessage(etcd, etcd.healthy));
  if (components.healthy < 1)
    messages.push('* There are no Machines with healthy control plane components, at least 1 required');
  return notAvailable(messages.join('\n'));
}

function warnings({ machines }: AvailableInput, components: Tally, etcd: EtcdTally | undefined): string[] {
  const messages: string[] = [];
  if (etcd !== undefined && etcd.unhealthy > 0) messages.push(etcdMessage(etcd, etcd.healthy + etcd.unhealthyJustNow));
  if (components.unhealthy > 0) {
    const healthy = components.healthy + components.unhealthyJustNow;
    const verb = healthy === 1 ? 'has' : 'have';
    messages.push(
      `* ${healthy} of ${machines.length} Machines ${verb} healthy control plane components, at least 1 required`,
    );
  }
  return messages;
}

/** Counts machines by the health of their components. Ignores machines without a provider ID, which do not run yet. */
function tallyComponents({ machines, nowMs }: AvailableInput, managed: boolean): Tally {
  const types = componentConditions(managed);
  const tally: Tally = { healthy: 0, unhealthy: 0, unhealthyJustNow: 0 };
  for (const machine of machines) if ((machine.spec.providerID ?? '') !== '') count(tally, machine, types, nowMs);
  return tally;
}

function count(tally: Tally, machine: ObservedMachine, types: readonly string[], nowMs: number): void {
  if (types.every((each) => isConditionTrue(machine, each))) tally.healthy += 1;
  else if (hasLasted(machine, types, nowMs)) tally.unhealthy += 1;
  else tally.unhealthyJustNow += 1;
}

function hasLasted(machine: ObservedMachine, types: readonly string[], nowMs: number): boolean {
  return types.some((each) => {
    const condition = getCondition(machine, each);
    return (
      condition !== undefined &&
      condition.status !== 'True' &&
      nowMs - parseTime(condition.lastTransitionTime) > reportAfterMs
    );
  });
}

interface EtcdTally extends Tally {
  readonly total: number;
  readonly learners: number;
  readonly quorum: number;
}

function tallyEtcd({ members = [], machines, nowMs }: AvailableInput): EtcdTally {
  const tally: Tally = { healthy: 0, unhealthy: 0, unhealthyJustNow: 0 };
  const isLearning = ({ isLearner, name }: EtcdMember): boolean => isLearner || name === '';
  const provisioning = machines.filter((machine) => nodeOf(machine) === undefined);
  for (const member of members) {
    // A member without a name was just added and will get its name soon.
    if (member.name === '') {
      tally.healthy += 1;
      continue;
    }
    const machine = machines.find((each) => nodeOf(each) === member.name) ?? claim(provisioning);
    if (machine === undefined) tally.unhealthy += 1;
    else count(tally, machine, [controlPlaneMachineConditions.etcdMemberHealthy], nowMs);
  }
  const learners = members.filter(isLearning).length;
  return { ...tally, total: members.length, learners, quorum: quorumOf(members.length - learners) };
}

/** Returns the Machine that a member without a Machine belongs to: the one being created. Machines are created one at a time. */
function claim(provisioning: ObservedMachine[]): ObservedMachine | undefined {
  return provisioning.length === 1 ? provisioning.pop() : undefined;
}

function etcdMessage({ total, learners, quorum }: EtcdTally, healthy: number): string {
  const learning = learners > 0 ? ` ${learners} learner etcd member,` : '';
  const required = `${learning} at least ${quorum} healthy member required for etcd quorum`;
  if (healthy === 0) return `* There are no healthy etcd member,${required}`;
  return `* ${healthy} of ${total} etcd members ${healthy === 1 ? 'is' : 'are'} healthy,${required}`;
}
