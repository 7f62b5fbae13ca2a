import type { EtcdMember, EtcdState } from './etcd-state.js';

export interface EtcdChange {
  /** Whether one more member will join. */
  readonly add?: boolean;
  /** The name of the member that will be removed. */
  readonly remove?: string;
}

/** The state of the etcd cluster after a change. */
export interface EtcdTarget {
  readonly voting: number;
  readonly learners: number;
  readonly unhealthy: number;
  readonly quorum: number;
  /** Whether a quorum of healthy members remains and no member is a learner. */
  readonly isSafe: boolean;
}

export function quorumOf(votingMembers: number): number {
  return Math.floor(votingMembers / 2) + 1;
}

/**
 * Computes whether etcd keeps its quorum during a change. Counts actual members instead of desired Machines, and assumes the
 * worst for unknown states: three members tolerate no failure besides the removed one, five tolerate one.
 */
export function etcdTarget(
  { members }: Pick<EtcdState, 'members'>,
  change: EtcdChange,
  isMemberHealthy: (member: EtcdMember) => boolean,
): EtcdTarget {
  let voting = 0;
  let learners = 0;
  let unhealthy = 0;
  if (change.add === true) {
    voting += 1;
    // A single member tolerates no failure: assuming the worst for it would prevent scaling up forever.
    if (members.length > 1) unhealthy += 1;
  }
  for (const member of members) {
    const isStarting = member.name === '';
    if (!isStarting && member.name === change.remove) continue;
    if (isStarting || member.isLearner) learners += 1;
    else voting += 1;
    if (isStarting || !isMemberHealthy(member)) unhealthy += 1;
  }
  const quorum = quorumOf(voting);
  // Learners will soon change the number of voters, so they must be promoted first.
  return { voting, learners, unhealthy, quorum, isSafe: learners === 0 && voting - unhealthy >= quorum };
}
