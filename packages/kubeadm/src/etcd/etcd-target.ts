import type { EtcdMember, EtcdState } from './etcd-state.js';

export interface EtcdChange {
  /** One more member is going to join. */
  readonly add?: boolean;
  /** The name of the member that is going to leave. */
  readonly remove?: string;
}

/** The cluster as it would be after a change. */
export interface EtcdTarget {
  readonly voting: number;
  readonly learners: number;
  readonly unhealthy: number;
  readonly quorum: number;
  /** A quorum of healthy members is left, and nobody is still on the way in. */
  readonly isSafe: boolean;
}

export function quorumOf(votingMembers: number): number {
  return Math.floor(votingMembers / 2) + 1;
}

/**
 * Whether etcd keeps its quorum through a change. It goes by the members there are, not by the Machines there should be, and
 * assumes the worst of what is not known: three members bear no failing one beside the one that leaves, five bear one.
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
    // With at most one there is no failing member that could be borne: assuming the worst would forbid to ever have more.
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
  // Who votes is about to change while there are learners: they are to be promoted first.
  return { voting, learners, unhealthy, quorum, isSafe: learners === 0 && voting - unhealthy >= quorum };
}
